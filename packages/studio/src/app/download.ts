// Files that go home.

export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** "loans.csv.gz" is "loans". */
export const stemOf = (file: string): string =>
  file.replace(/(\.(csv|tsv|tab|txt|parquet|pq|json|ndjson|jsonl))?(\.gz)?$/i, '') || 'data'
