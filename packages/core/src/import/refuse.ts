// How a file to import is refused: what is not what it should be, with its place, and what our model file cannot say.

import { FeatureBoostError } from '../common/errors.ts'

/** The file is damaged, or is something else. */
export const notReadable = (path: string, message: string, hint?: string): FeatureBoostError =>
  new FeatureBoostError('FB_IMPORT_FORMAT', `${message}.`, {
    path,
    hint: hint ?? 'Write the file again with the package that made it (docs/import.md says how).',
  })

/** The file is sound, and says something that cannot be said here. */
export const notImportable = (path: string, message: string, hint?: string): FeatureBoostError =>
  new FeatureBoostError('FB_IMPORT', `${message}.`, { path, ...(hint !== undefined && { hint }) })

/** What the shapes of model files refuse is here something about the file to import. */
export function readForeign<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FeatureBoostError) || error.code !== 'FB_MODEL_FORMAT') throw error
    const { path = 'file' } = error.details
    const [, message = error.message] =
      /^FB_MODEL_FORMAT [^:]*: (.*?)\. The file is damaged/s.exec(error.message) ?? []
    throw notReadable(path, message)
  }
}
