import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { hashOf, modelBytes, ROW, serveModel } from '../served.ts'

export const serverLoad: Claim = {
  id: 'R15',
  title: 'Load of a server',
  promised: 'What `featureboost serve` does under load is measured alongside Fastify and plain `node:http`.',
  anchor:
    'Fastify with a schema: 19,700 requests a second, p99 10 ms; 711,000 rows a second in batches (measured on 2 cores).',
  by: '`npx tsx bench/serve.ts` measures it, on a quiet machine, and writes its figures to [serve](serve.md).',
}

const ASKERS = 8

/** `size`: files that take the place of the one that is served, every tenth of them broken. */
async function measure({ folder, say, size }: Run): Promise<Outcome> {
  const kinds = ['default', 'deep', 'groups'].map(modelBytes)
  const whole = new Set(kinds.map(hashOf))
  const served = await serveModel(folder)
  const problems: string[] = []
  const seen = new Set<string>()
  let [asked, isOver] = [0, false]
  const ask = async () => {
    while (!isOver) {
      const response = await fetch(`${served.url}predict`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: ROW,
      })
      const { model } = (await response.json()) as { readonly model?: string }
      asked++
      if (response.status !== 200 || model === undefined || !whole.has(model))
        problems.push(`status ${response.status}, model ${model}`)
      else seen.add(model)
    }
  }
  try {
    const askers = Array.from({ length: ASKERS }, ask)
    for (let swap = 1; swap <= size; swap++) {
      const bytes = kinds[swap % kinds.length]
      const isBroken = swap % 10 === 0
      await served.replace(isBroken ? bytes.subarray(0, (bytes.length * (swap % 97)) / 97) : bytes)
      if (swap % 50 === 0) say(`${swap} swaps`)
    }
    isOver = true
    await Promise.all(askers)
  } finally {
    isOver = true
    await served.close()
  }
  return {
    kept: problems.length === 0 && seen.size === whole.size,
    figure: `${counted(size, 'swap')} of ${kinds.length} models, every tenth to a truncated file, under ${counted(asked, 'request')}: ${counted(problems.length, 'request')} failed or got anything other than a complete model.`,
    problems,
  }
}

export const hotReload: Claim = {
  id: 'R18',
  title: 'A model replaced while it is served',
  promised:
    'A model file that is replaced while `featureboost serve` answers takes effect between two requests, and a broken one does not: no request fails, and none is answered by anything other than a complete model.',
  anchor: 'none found',
  by: { unit: 'swaps', short: 60, long: 1000, measure },
}
