import { makeRandom } from '../../../packages/core/src/common/random.ts'
import { readModel } from '../../../packages/core/src/index.ts'
import { fitSmall, SMALL_KINDS } from '../../../packages/core/test/model/models.ts'
import { makeMutant } from '../../../packages/core/test/model/mutants.ts'
import { outcomeOf } from '../../../packages/core/test/model/survive.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

/** By the hash that the file had: any change of a byte must be seen, unless it leaves the contents as they are. */
function flipByte(text: string, random: ReturnType<typeof makeRandom>): string {
  const bytes = Buffer.from(text)
  bytes[random.integer(bytes.length)] ^= 1 << random.integer(8)
  return bytes.toString()
}

const isRefused = (text: string, hash: string): boolean => {
  try {
    return readModel(text).hash === hash
  } catch {
    return true
  }
}

async function measure({ say, size }: Run): Promise<Outcome> {
  const models = await Promise.all(SMALL_KINDS.map(fitSmall))
  const texts = models.map(model => model.toText())
  const random = makeRandom(1)
  const problems: string[] = []
  const counts = { refused: 0, loaded: 0, silent: 0 }
  let slowest = 0
  for (let count = 0; count < size * models.length; count++) {
    const index = count % models.length
    const { how, text } = makeMutant(texts[index], texts, random)
    const before = process.cpuUsage()
    try {
      if (outcomeOf(text, models[index]).startsWith('FB_')) counts.refused++
      else counts.loaded++
    } catch (error) {
      problems.push(`mutant ${count} (${how}): ${(error as Error).message}`)
    }
    const { system, user } = process.cpuUsage(before)
    slowest = Math.max(slowest, (system + user) / 1000)
    if (!isRefused(flipByte(texts[index], random), models[index].hash)) counts.silent++
    if (count % 5000 === 0) say(`${count} mutants`)
  }
  if (slowest > 1000) problems.push(`a mutant took ${slowest.toFixed(0)} ms of CPU`)
  const all = size * models.length
  return {
    kept: problems.length === 0 && counts.silent === 0,
    figure: `${counted(all, 'mutant')} of ${models.length} kinds of models, most with a matching hash: ${counted(counts.refused, 'refused', 'refused')} with a code, ${counted(counts.loaded, 'read', 'read')} as well-formed models that predict probabilities, ${counted(problems.length, 'anything else', 'anything else')}; the slowest took ${Math.ceil(slowest)} ms of CPU. ${counted(all, 'file')} with one bit flipped: ${counted(counts.silent, 'accepted', 'accepted')} as something else.`,
    problems,
  }
}

export const damagedModels: Claim = {
  id: 'R1',
  title: 'Damaged model files',
  promised:
    'A damaged file is refused with a code, or is a well-formed model with a different hash: no crash, nothing that takes over a second of CPU, no prototype touched.',
  anchor:
    'LightGBM: 645 of 900 damaged files killed the process, 60 were accepted silently; ONNX Runtime: 0 and 35 (measured). XGBoost excludes this from its security policy.',
  by: { unit: 'mutants of each kind of model', short: 500, long: 100_000, measure },
}
