// A prediction server with a model of the zoo, in this process, on a free port of the loopback interface.

import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PredictionServer } from '../../packages/cli/src/serve/server.ts'
import { Shelf } from '../../packages/cli/src/serve/shelf.ts'
import { ZOO_ROWS } from '../../packages/core/test/model/zoo.ts'

const zooFile = (kind: string): string =>
  fileURLToPath(new URL(`../../packages/core/test/model/zoo/3/${kind}.fb.json`, import.meta.url))

export interface ServedModel {
  readonly url: string
  /** Puts other bytes in the place of the model file, as a writer does that writes aside and renames, and has them read. */
  replace(bytes: Buffer): Promise<void>
  close(): Promise<void>
}

export const modelBytes = (kind: string): Buffer => readFileSync(zooFile(kind))

export const hashOf = (bytes: Buffer): string => JSON.parse(bytes.toString()).hash

/** A row that the models of the zoo take. */
export const ROW = JSON.stringify(ZOO_ROWS[0])

export async function serveModel(folder: string, token?: string): Promise<ServedModel> {
  const path = join(folder, 'model.fb.json')
  copyFileSync(zooFile('default'), path)
  const shelf = await Shelf.open([['model', path]], { onReload: () => {} })
  const server = new PredictionServer(shelf, { ...(token !== undefined && { token }) })
  await server.listen()
  return {
    url: `${server.url}/`,
    replace: async bytes => {
      writeFileSync(`${path}.new`, bytes)
      renameSync(`${path}.new`, path)
      await shelf.reload()
    },
    close: async () => {
      shelf.close()
      await server.close()
    },
  }
}
