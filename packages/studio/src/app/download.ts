// Files that go home.

import { isTakenHome } from './state.ts'

export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  isTakenHome.value = true
  // The download has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
