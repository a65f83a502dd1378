// Mutates model files, a hundred thousand of them, and reads each: it must be refused with a code, or be a model that predicts
// probabilities. Ends at the first that is neither, with its text in a file.
//
//   npx tsx scripts/mutate-models.ts [--files 100000] [--seed 1]

import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRandom } from '../packages/core/src/common/random.ts'
import { fitSmall, SMALL_KINDS } from '../packages/core/test/model/models.ts'
import { makeMutant } from '../packages/core/test/model/mutants.ts'
import { outcomeOf } from '../packages/core/test/model/survive.ts'

const { values } = parseArgs({
  options: { files: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const files = Number(values.files)
const random = makeRandom(Number(values.seed))
const models = await Promise.all(SMALL_KINDS.map(fitSmall))
const texts = models.map(model => model.toText())

const outcomes: Record<string, Record<string, number>> = {}
let slowest = { ms: 0, how: '' }
for (let count = 0; count < files; count++) {
  const index = count % models.length
  const { how, text } = makeMutant(texts[index], texts, random)
  const started = performance.now()
  try {
    const outcome = outcomeOf(text, models[index])
    outcomes[how] ??= {}
    outcomes[how][outcome] = (outcomes[how][outcome] ?? 0) + 1
  } catch (error) {
    const path = join(tmpdir(), `mutant-${values.seed}-${count}.json`)
    writeFileSync(path, text)
    console.error(`mutant ${count} (${how}), kept as ${path}:`)
    throw error
  }
  const ms = performance.now() - started
  if (ms > slowest.ms) slowest = { ms, how }
}
console.table(outcomes)
console.log(
  `${files} mutants, none but refused or well-formed; the slowest took ${slowest.ms.toFixed(0)} ms (${slowest.how})`,
)
