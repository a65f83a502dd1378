// One data set with one seed: prepared, scored by its base models, corrected by every method, measured.

import { join } from 'node:path'
import type { Settings } from './arguments.ts'
import { type CaseFacts, readDoubles, readFacts, readPart, TRUTH_FILE } from './arrays.ts'
import { basesOf, DATA } from './datasets.ts'
import { keepScores } from './keptScores.ts'
import type { Method } from './methods.ts'
import { type CaseId, type Prepared, prepareCase } from './prepare.ts'
import { runMethod, scoreCase, type Workshop } from './processes.ts'
import type { CaseResult, MethodResult } from './results.ts'
import { type Differences, makeScorer, type Scored, type Scorer } from './score.ts'

/** One result for each base score. */
export async function runCase(
  shop: Workshop,
  settings: Settings,
  id: CaseId,
  say: (text: string) => void,
): Promise<CaseResult[]> {
  const spec = DATA[id.data]
  const prepared = await prepareCase(shop.cache, id, shop.fresh)
  const facts = readFacts(prepared.folder)
  const plain = makeScorer(facts, readPart(prepared.folder, facts, 'test'), shop.threads)
  const scorer = keepScores(plain, shop.cache, prepared.content, shop.fresh)
  const { calibration: calibrationRows, test: testRows } = facts.rowCounts
  const results: CaseResult[] = []
  for (const base of basesOf(spec).filter(name => settings.bases?.includes(name) ?? true)) {
    say(
      `${id.data}, ${base} score, seed ${id.seed}: ${calibrationRows} calibration rows, ${testRows} test rows`,
    )
    const found = await runBase({ shop, prepared, facts, scorer, say }, settings.methods, base)
    const { calibrationRows: mostRows, data, seed } = id
    results.push({ data, base, seed, calibrationRows, mostRows, testRows, ...found })
  }
  return results
}

interface Bench {
  readonly shop: Workshop
  readonly prepared: Prepared
  readonly facts: CaseFacts
  readonly scorer: Scorer
  readonly say: (text: string) => void
}

async function runBase(
  { facts, prepared, say, scorer, shop }: Bench,
  methods: readonly Method[],
  base: string,
): Promise<Pick<CaseResult, 'methods' | 'ours'>> {
  const scores = await scoreCase(shop, prepared, base, facts.seed)
  const start = await scorer.score(readDoubles(join(scores, 'test.f64')))
  const scored = new Map<string, Scored>()
  const found: Record<string, MethodResult> = { base: { values: start.values } }
  const add = async (name: string, predictions: Float64Array, rest: object = {}) => {
    const answer = await scorer.score(predictions)
    scored.set(name, answer)
    found[name] = { values: answer.values, againstBase: scorer.compare(answer, start), ...rest }
  }
  if (facts.truth) await add('truth', readDoubles(join(prepared.folder, TRUTH_FILE)))
  for (const method of methods) {
    try {
      const { kept, measured, predictions } = await runMethod(shop, method, prepared, scores, facts.seed)
      await add(method.name, predictions, { measured, kept })
      say(
        `  ${method.name}: fit ${measured.fit.wall.toFixed(2)} s${kept ? ' (kept from an earlier run)' : ''}`,
      )
    } catch (error) {
      found[method.name] = { failed: (error as Error).message }
      say(`  ${method.name} failed: ${(error as Error).message}`)
    }
  }
  return { methods: found, ours: compareOurs(methods, scored, scorer) }
}

/** Ours against every other method that answered, and against the truth. */
function compareOurs(
  methods: readonly Method[],
  scored: ReadonlyMap<string, Scored>,
  scorer: Scorer,
): Record<string, Record<string, Differences>> {
  const ours: Record<string, Record<string, Differences>> = {}
  for (const { kind, name } of methods) {
    const our = scored.get(name)
    if (kind !== 'ours' || our === undefined) continue
    const others = [...scored].filter(([other]) => other !== name)
    ours[name] = Object.fromEntries(others.map(([other, answer]) => [other, scorer.compare(our, answer)]))
  }
  return ours
}
