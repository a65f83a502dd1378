// What a file is, by its content: a table, the state of a monitor, or a model.

export type FileKind = 'table' | 'monitor' | 'model'

const FIRST_BYTES = 64
/** A state that was written anew by another program may have its keys in another order. */
const SEARCHED_BYTES = 2 ** 21

export async function kindOfFile(file: Blob): Promise<FileKind> {
  const first = await file.slice(0, FIRST_BYTES).text()
  if (!/^\s*\{/.test(first)) return 'table'
  const text = await file.slice(0, SEARCHED_BYTES).text()
  const [, kind] = /"format"\s*:\s*"featureboost-(monitor|model)"/.exec(text) ?? []
  return (kind as FileKind | undefined) ?? 'table'
}
