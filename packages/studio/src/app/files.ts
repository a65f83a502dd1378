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
  showOpenFilePicker?(): Promise<readonly FileSystemFileHandle[]>
}

/** A page that was opened from disk shares its store with all others of the kind: a handle is not to lie there. */
export const hasPicker = (): boolean =>
  (window as Picker).showOpenFilePicker !== undefined && location.protocol !== 'file:'

/** "refused": a page inside another may not ask in this way. Undefined where nothing was chosen. */
export async function pickFile(): Promise<Chosen | 'refused' | undefined> {
  try {
    const [handle] = await (window as Picker).showOpenFilePicker!()
    return { file: await handle.getFile(), handle }
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'refused'
  }
}

/** The first file of what was dropped. */
export async function droppedFile(data: DataTransfer | null): Promise<Chosen | undefined> {
  const file = data?.files[0]
  if (file === undefined) return undefined
  const item = data!.items[0] as DataTransferItem & {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
  }
  if (!hasPicker()) return { file }
  // Where there is no handle, the file itself is there all the same.
  const handle = await item.getAsFileSystemHandle?.().catch(() => null)
  return { file, ...(handle?.kind === 'file' && { handle: handle as FileSystemFileHandle }) }
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
