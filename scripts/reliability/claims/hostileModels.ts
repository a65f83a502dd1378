import { FeatureBoostError, readModel } from '../../../packages/core/src/index.ts'
import { HOSTILE_MODELS } from '../../../packages/core/test/model/hostile.ts'
import { type Claim, counted, type Outcome } from '../claim.ts'

async function measure(): Promise<Outcome> {
  const problems: string[] = []
  let slowest = { ms: 0, name: '' }
  for (const { name, text } of HOSTILE_MODELS) {
    const made = text()
    const before = process.cpuUsage()
    try {
      readModel(made)
      problems.push(`read: ${name}`)
    } catch (error) {
      const isOurs = error instanceof FeatureBoostError && error.code.startsWith('FB_MODEL_')
      if (!isOurs) problems.push(`${name}: ${(error as Error).message}`)
    }
    const { system, user } = process.cpuUsage(before)
    const ms = (system + user) / 1000
    if (ms > slowest.ms) slowest = { ms, name }
  }
  if (slowest.ms > 1000) problems.push(`${slowest.name}: ${slowest.ms.toFixed(0)} ms of CPU`)
  return {
    kept: problems.length === 0,
    figure: `${HOSTILE_MODELS.length - problems.length} of ${counted(HOSTILE_MODELS.length, 'attack')} refused with a code; the slowest took ${Math.ceil(slowest.ms)} ms of CPU (${slowest.name}).`,
    problems,
  }
}

export const hostileModels: Claim = {
  id: 'R2',
  title: 'Hostile model files',
  promised:
    'Files made by hand to do harm, with a matching hash (indexes out of range, lengths of 2^31, deep nesting, numbers that are not numbers, `__proto__`, paths, packed files), are all refused within a second of CPU.',
  anchor:
    'Fixed in ONNX Runtime in 2024 to 2026 (#27571, #27677); open in LightGBM (#7357, #7437, #7438) and tfjs (#8709).',
  by: { unit: 'time through the list', short: 1, long: 1, measure },
}
