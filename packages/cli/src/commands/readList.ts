// A list in a JSON file that a flag names: groups, losses.

import { CommandError } from '../errors.ts'
import { readText } from '../files.ts'

/** `such`: an example of what it may hold. What the entries are is checked by whoever takes them. */
export async function readList(path: string, of: string, such: string): Promise<unknown[]> {
  const written = await readText(path)
  try {
    const list: unknown = JSON.parse(written)
    if (Array.isArray(list)) return list
  } catch (error) {
    throw new CommandError(3, `${path} could not be read as a list of ${of}: ${(error as Error).message}.`, {
      code: 'FB_FILE_FORMAT',
    })
  }
  throw new CommandError(3, `${path} holds no list of ${of}. Expected such as ${such}.`, {
    code: 'FB_FILE_FORMAT',
  })
}
