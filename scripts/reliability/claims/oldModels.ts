import { readdirSync, readFileSync } from 'node:fs'
import { ONE } from '../../../packages/core/src/common/units.ts'
import { readModel } from '../../../packages/core/src/index.ts'
import { MODEL_VERSIONS } from '../../../packages/core/src/model/data.ts'
import { ZOO_ROWS } from '../../../packages/core/test/model/zoo.ts'
import { type Claim, counted, type Outcome } from '../claim.ts'

const zoo = new URL('../../../packages/core/test/model/zoo/', import.meta.url)

async function measure(): Promise<Outcome> {
  const problems: string[] = []
  let [models, predictions] = [0, 0]
  for (const version of MODEL_VERSIONS) {
    const expected = JSON.parse(readFileSync(new URL(`predictions-${version}.json`, zoo), 'utf8'))
    for (const file of readdirSync(new URL(`${version}/`, zoo))) {
      const model = readModel(readFileSync(new URL(`${version}/${file}`, zoo), 'utf8'))
      const rows = ZOO_ROWS.map(({ since, ...row }) => (version === 1 ? row : { ...row, since }))
      const found = rows.map(row => model.predictRow(row) * ONE)
      const wanted: readonly number[] = expected[file.replace('.fb.json', '')]
      const other = found.filter((value, row) => value !== wanted[row]).length
      if (other > 0) problems.push(`version ${version}, ${file}: ${other} predictions differ`)
      models++
      predictions += found.length
    }
  }
  return {
    kept: problems.length === 0,
    figure: `${counted(models, 'model')} of versions ${MODEL_VERSIONS.join(', ')} read; ${counted(predictions, 'prediction')}, each with the bits it had when its file was written${problems.length === 0 ? '' : `, but for ${counted(problems.length, 'model')}`}.`,
    problems,
  }
}

export const oldModels: Claim = {
  id: 'R14',
  title: 'Old models',
  promised:
    'Model files of every version ever written can be read, and predict to the last bit what they predicted then. A format that changes without a new version fails the tests.',
  anchor:
    'XGBoost keeps a zoo of models; ONNX Runtime reads opsets back to 7; SQLite still reads files from 2004.',
  by: { unit: 'time through the zoo', short: 1, long: 1, measure },
}
