// Forging: a model file changed and sealed again, as somebody would who knows the format. `agree` goes further and writes into the file
// whatever verification computes from the rows, until the two agree: then only a repeated fit or an expectation can tell.

import { readModel, type Table, verify } from '../../src/index.ts'
import { editModel } from '../model/mutate.ts'

// biome-ignore lint/suspicious/noExplicitAny: the contents of a model file, to be changed anywhere.
export type Contents = any
export type Change = (contents: Contents) => void

export const forge = (text: string, change: Change): string => editModel(text, change)

/** Rounds of adopting what verification finds: a change of the class changes statements that are made of it. */
const MOST_ROUNDS = 4

/** The file with everything that rows give as they give it. */
export async function agree(text: string, rows: Table): Promise<string> {
  let agreed = text
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { differences } = await verify(readModel(agreed), rows)
    if (differences.length === 0) return agreed
    agreed = forge(agreed, contents => {
      // From the last to the first: what is taken out of a list moves what comes after it.
      for (const { found, path } of [...differences].reverse()) put(contents, path, found)
    })
  }
  throw new Error(`the forged file does not come to agree with its rows in ${MOST_ROUNDS} rounds`)
}

function put(contents: Contents, path: string, value: unknown): void {
  const keys = path.split(/[.[\]]+/).filter(key => key !== '')
  const last = keys.pop()!
  const parent = keys.reduce((part, key) => part[key], contents)
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
}
