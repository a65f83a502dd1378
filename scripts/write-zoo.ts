// Writes the model files of the present version of the format to the zoo (packages/core/test/model/zoo.ts), with what they predict.
// Once for every version: what is there is never written again, since its use is to be old.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { ONE } from '../packages/core/src/common/units.ts'
import { fit } from '../packages/core/src/index.ts'
import { MODEL_VERSION } from '../packages/core/src/model/data.ts'
import { ZOO, ZOO_ROWS, zooTable } from '../packages/core/test/model/zoo.ts'

const at = (path: string) => new URL(`../packages/core/test/model/zoo/${path}`, import.meta.url)
if (existsSync(at(`${MODEL_VERSION}/`))) throw new Error(`Version ${MODEL_VERSION} has its zoo.`)

mkdirSync(at(`${MODEL_VERSION}/`))
const predicted: Record<string, number[]> = {}
for (const [kind, options] of Object.entries(ZOO)) {
  const model = await fit(zooTable(), options)
  writeFileSync(at(`${MODEL_VERSION}/${kind}.fb.json`), model.toText())
  predicted[kind] = ZOO_ROWS.map(row => model.predictRow({ ...row }) * ONE)
}
writeFileSync(at(`predictions-${MODEL_VERSION}.json`), `${JSON.stringify(predicted)}\n`)
