// The file that was chosen. Browsers that have handles can read it again after a refresh, if the person says yes; others know its name,
// and it has to be chosen again. Its rows are never kept.

/** Enough to tell whether a file that is chosen again is the same. */
export interface FileRef {
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly handle?: FileSystemFileHandle
}

export const refOf = ({ file: { lastModified, name, size }, handle }: Chosen): FileRef => ({
  ...{ name, size, lastModified },
  ...(handle !== undefined && { handle }),
})

export interface Chosen {
  readonly file: File
  readonly handle?: FileSystemFileHandle
}

interface Picker {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<readonly FileSystemFileHandle[]>
}

/** A page that was opened from disk shares its store with all others of the kind: a handle is not to lie there. */
export const hasPicker = (): boolean =>
  (window as Picker).showOpenFilePicker !== undefined && location.protocol !== 'file:'

/** "refused": a page inside another may not ask in this way. None where nothing was chosen. */
export async function pickFiles(multiple: boolean): Promise<readonly Chosen[] | 'refused'> {
  try {
    const handles = await (window as Picker).showOpenFilePicker!({ multiple })
    return await Promise.all(handles.map(async handle => ({ file: await handle.getFile(), handle })))
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? [] : 'refused'
  }
}

type DroppedItem = DataTransferItem & {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

/** All files that were dropped. What is dropped is gone after a turn: everything is asked for at once. */
export async function droppedFiles(data: DataTransfer | null): Promise<readonly Chosen[]> {
  const items = Array.from(data?.items ?? []).filter(({ kind }) => kind === 'file') as DroppedItem[]
  const found = await Promise.all(
    items.map(async (item): Promise<Chosen[]> => {
      const file = item.getAsFile()
      if (file === null) return []
      if (!hasPicker()) return [{ file }]
      // Where there is no handle, the file itself is there all the same.
      const handle = await item.getAsFileSystemHandle?.().catch(() => null)
      return [{ file, ...(handle?.kind === 'file' && { handle: handle as FileSystemFileHandle }) }]
    }),
  )
  return found.flat()
}

type Asking = FileSystemFileHandle & {
  requestPermission(options: { mode: 'read' }): Promise<PermissionState>
}

/** Undefined where the person does not allow it, or the file is gone. Only a click may ask. */
export async function fileAgain({ handle }: FileRef): Promise<File | undefined> {
  if (handle === undefined) return undefined
  try {
    const answer = await (handle as Asking).requestPermission({ mode: 'read' })
    return answer === 'granted' ? await handle.getFile() : undefined
  } catch {
    return undefined
  }
}

/** Is this the file of before, by all that is known of it? */
export const isSameFile = (ref: FileRef, file: File): boolean =>
  ref.name === file.name && ref.size === file.size && ref.lastModified === file.lastModified
