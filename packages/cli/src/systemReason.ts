// What the system says of a file, in words.

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission',
  EPERM: 'it is not permitted',
  EROFS: 'it is on a drive that can only be read',
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EFBIG: 'it would be larger than a file may be',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead back to themselves',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the drive failed',
  EBUSY: 'it is in use',
}

/** "there is no permission (EACCES)"; what has no words is said as the system says it. */
export function systemReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return code in REASONS ? `${REASONS[code]} (${code})` : message
}

/** An error that came from the system: a file, a drive, a socket. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'
