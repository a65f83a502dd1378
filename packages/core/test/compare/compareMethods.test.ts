// The comparison as a whole: what it says of the base score, of any order of rows, of what it refuses.

import { describe, expect, it } from 'vitest'
import { gatherColumn } from '../../src/data/column.ts'
import {
  audit,
  type CompareOptions,
  compareMethods,
  groups,
  METHODS,
  type MethodComparison,
  makeTable,
  type Table,
} from '../../src/index.ts'
import { COMPARED_MEASURES, type ComparisonStep, makeRandom } from '../../src/internal.ts'
import { SIMPLEST_FIRST } from '../../src/options/options.ts'
import { failureOf } from '../fit/failure.ts'
import { makePopulation } from '../fit/population.ts'

const OPTIONS = { label: 'y', prediction: 'score', except: ['fold'], folds: 3, bins: 5 } as const
const OURS = { ...OPTIONS, methods: ['forest', 'rounds'] } as const satisfies CompareOptions

/** All but the times, which no two runs share. */
function timeless({ methods, seconds: _, ...rest }: MethodComparison) {
  return { ...rest, methods: methods.map(({ fitSeconds, predictSeconds, ...method }) => method) }
}

function shuffled({ columns, rowCount }: Table, seed: number): Table {
  const random = makeRandom(seed)
  const order = Int32Array.from({ length: rowCount }, (_, row) => row)
  for (let row = rowCount - 1; row > 0; row--) {
    const other = random.integer(row + 1)
    ;[order[row], order[other]] = [order[other], order[row]]
  }
  return { rowCount, columns: columns.map(column => gatherColumn(column, order)) }
}

/** The population with ids of three rows each, and weights of which some are 0. */
function withIdsAndWeights(rows: number, seed: number): Table {
  const { columns } = makePopulation({ rows, seed })
  const random = makeRandom(seed)
  const person = Array.from({ length: rows }, () => `p${random.integer(rows / 3)}`)
  const weight = Array.from({ length: rows }, () => random.integer(4))
  return makeTable([...columns, ...makeTable({ person, weight }).columns])
}

describe('a comparison of methods', () => {
  it('finds the methods that repair a score which is wrong for some groups', async () => {
    const found = await compareMethods(makePopulation({ rows: 2000, seed: 2 }), OURS)
    expect(found).toMatchObject({
      rows: 2000,
      label: 'y',
      score: 'score',
      folds: 3,
      confidence: 0.95,
      failed: [],
    })
    expect(found.methods).toHaveLength(2)
    const [first, second] = found.methods.map(({ measures }) => measures.logLoss!.value)
    expect(first).toBeLessThanOrEqual(second)
    for (const { differences, fitSeconds, measures, predictSeconds } of found.methods) {
      expect(Object.keys(measures)).toEqual([...COMPARED_MEASURES])
      expect(differences.logLoss!.high).toBeLessThan(0)
      expect(differences.multicalibration!.value).toBeLessThan(0)
      for (const name of COMPARED_MEASURES) {
        const change = measures[name]!.value - found.base[name]!.value
        expect(differences[name]!.value).toBeCloseTo(change, 10)
      }
      expect(fitSeconds).toBeGreaterThan(0)
      expect(predictSeconds).toBeGreaterThan(0)
    }
    expect(found.recommendation.methods).toContain(found.best.logLoss!.best)
    expect(found.best.logLoss!.ties).not.toContain('base')
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  })

  it('recommends none where the score is right, whatever columns of noise may be learned by heart', async () => {
    const random = makeRandom(11)
    const score = Float64Array.from({ length: 1500 }, () => 0.1 + 0.8 * random.next())
    const table = makeTable({
      noise: score.map(() => random.next()),
      id: Array.from(score, (_, row) => `row ${row}`),
      score,
      y: score.map(p => Number(random.next() < p)),
    })
    const { recommendation } = await compareMethods(table, { ...OURS, except: [] })
    expect(recommendation.methods).toEqual([])
    expect(recommendation.sentence).toMatch(/^None of the 2 methods beats the base score/)
  })

  it('names methods that cannot be told apart, the simplest first', async () => {
    const random = makeRandom(7)
    const logit = Float64Array.from({ length: 1500 }, () => 4 * random.next() - 2)
    const table = makeTable({
      x: logit.map(() => random.integer(5)),
      // Twice as sure as it may be.
      score: logit.map(z => 1 / (1 + Math.exp(-2 * z))),
      y: logit.map(z => Number(random.next() < 1 / (1 + Math.exp(-z)))),
    })
    const methods = ['platt', 'hkrr', 'temperature'] as const
    const { best, recommendation } = await compareMethods(table, { ...OURS, except: [], methods })
    expect(recommendation.methods).toEqual(['temperature', 'platt'])
    expect([best.logLoss!.best, ...best.logLoss!.ties].sort()).toEqual(['platt', 'temperature'])
  })

  it('compares scores of 0 and 1, whose MCE has no bound', async () => {
    const random = makeRandom(8)
    const truth = Float64Array.from({ length: 600 }, () => random.next())
    const table = makeTable({
      x: truth.map(p => Math.floor(5 * p)),
      score: truth.map(p => Math.round(p)),
      y: truth.map(p => Number(random.next() < p)),
    })
    const methods = ['platt', 'hkrr'] as const
    const { base, methods: found } = await compareMethods(table, { ...OURS, except: [], methods })
    expect(base.mceSigma!.value).toBe(Number.POSITIVE_INFINITY)
    const { differences } = found.find(({ method }) => method === 'platt')!
    expect(differences.mceSigma!.high).toBeLessThan(0)
    expect(differences.logLoss!.high).toBeLessThan(0)
    for (const { differences } of found) {
      for (const { high, low, value } of Object.values(differences))
        expect(low <= value && value <= high).toBe(true)
    }
  })

  it('says of the base score what an audit of it says', async () => {
    const table = withIdsAndWeights(600, 5)
    const options = { ...OURS, weight: 'weight', except: ['fold', 'person'], segmentDepth: 1 }
    const { base, bins } = await compareMethods(table, { ...options, methods: ['rounds'] })
    const { folds: _, methods, ...audited } = options
    const alone = await audit(table, audited)
    const { auc, brier, eceWidth, logLoss } = alone.measures
    const { bins: reliability, ...ece } = eceWidth
    expect(base).toMatchObject({ logLoss, brier, auc, ece })
    // Two worst errors are set against each other: each has half the doubt.
    const careful = await audit(table, { ...audited, confidence: 0.975 })
    const { high, low, value } = careful.multicalibration
    expect(base.multicalibration).toEqual({ value, low, high })
    expect(base.levelSet).toMatchObject({ value: careful.levelSet.value, low: careful.levelSet.low })
    expect(base.mceSigma).toEqual(careful.mce!.sigma)
    expect(bins).toBe(careful.bins)
  })

  it.each([
    ['rows of their own', { except: ['fold', 'person', 'weight'] }],
    ['ids and weights', { except: ['fold'], groupBy: 'person', weight: 'weight' }],
  ])('is the same in any order of rows, with %s', async (_, roles) => {
    const table = withIdsAndWeights(300, 7)
    const options = { ...OURS, ...roles }
    const found = timeless(await compareMethods(table, options))
    expect(timeless(await compareMethods(shuffled(table, 1), options))).toEqual(found)
    expect(timeless(await compareMethods(table, { ...options, seed: 2 }))).not.toEqual(found)
  })

  it('is the same for rows that come in chunks, and on two threads', async () => {
    const table = makePopulation({ rows: 300, seed: 3 })
    const part = (from: number, to: number): Table => ({
      rowCount: to - from,
      columns: table.columns.map(column =>
        gatherColumn(
          column,
          Int32Array.from({ length: to - from }, (_, row) => from + row),
        ),
      ),
    })
    const source = { chunks: () => [part(0, 100), part(100, 300)] }
    const options = { ...OURS, segmentDepth: 0 }
    const found = timeless(await compareMethods(source, options))
    expect(found).toEqual(timeless(await compareMethods(table, { ...options, threads: 2 })))
    expect(found.base).not.toHaveProperty('mceSigma')
    expect(found.best).not.toHaveProperty('mceSigma')
  })

  it('leaves rows without weight out of account', async () => {
    const table = withIdsAndWeights(500, 9)
    const weights = table.columns.find(({ name }) => name === 'weight') as { values: Float64Array }
    const counted = Int32Array.from({ length: 500 }, (_, row) => row).filter(row => weights.values[row] > 0)
    const lighter = {
      rowCount: counted.length,
      columns: table.columns.map(each => gatherColumn(each, counted)),
    }
    const options = { ...OURS, except: ['fold', 'person'], weight: 'weight' }
    const { rows, ...found } = timeless(await compareMethods(table, options))
    const { rows: fewer, ...same } = timeless(await compareMethods(lighter, options))
    expect(fewer).toBeLessThan(rows)
    expect(found).toEqual(same)
  })

  it('measures declared groups, where groups are declared', async () => {
    const auditors = groups(['region'])
    const found = await compareMethods(makePopulation({ rows: 600 }), { ...OURS, auditors })
    expect(found.auditors).toMatch(/declared groups/)
  })

  it('tells every step, and ends when it is cancelled', async () => {
    const table = makePopulation({ rows: 200 })
    const steps: ComparisonStep[] = []
    await compareMethods(table, { ...OURS, onStep: step => steps.push(step) })
    const words = steps.map(({ fold, method, step }) => `${step} ${method} ${fold ?? ''}`.trim())
    expect(words).toEqual([
      ...[1, 2, 3].flatMap(fold => [`fitting forest ${fold}`, `fitting rounds ${fold}`]),
      ...['scoring base', 'scoring forest', 'scoring rounds'],
    ])
    expect(steps[1]).toMatchObject({ methodNumber: 2, methodCount: 2, foldCount: 3 })
    const control = new AbortController()
    const seen: string[] = []
    const onStep = ({ fold, step }: ComparisonStep) => {
      seen.push(step)
      if (fold === 2) control.abort()
    }
    const error = await failureOf(compareMethods(table, { ...OURS, onStep, signal: control.signal }))
    expect(error.code).toBe('FB_ABORTED')
    expect(seen).not.toContain('scoring')
  })
})

describe('a method that fails', () => {
  it('is told with its code and left out', async () => {
    // Of the few rows that rounds are fitted to, none is held out to stop by.
    const found = await findFailing()
    expect(found.failed).toMatchObject([{ method: 'rounds', code: 'FB_NO_ROWS' }])
    expect(found.methods.map(({ method }) => method)).toEqual(['forest'])
  })

  async function findFailing(): Promise<MethodComparison> {
    for (let seed = 1; seed < 30; seed++) {
      const table = makePopulation({ rows: 26, seed })
      const found = await compareMethods(table, { ...OURS, folds: 2, seed, segmentDepth: 0 }).catch(
        () => undefined,
      )
      if (found !== undefined && found.failed.length > 0) return found
    }
    throw new Error('every seed went well')
  }
})

describe('a comparison refuses', () => {
  const table = makePopulation({ rows: 200 })
  const refused = async (options: Record<string, unknown>) =>
    failureOf(compareMethods(table, { ...OURS, ...options } as unknown as CompareOptions))

  it.each([
    [{ methods: ['forst'] }, /option "methods" names "forst"\..*Did you mean "forest"\?/],
    [{ methods: ['forest', 'forest'] }, /option "methods" names "forest" twice/],
    [{ methods: [] }, /option "methods" is empty/],
    [{ methods: 'forest' }, /option "methods" is "forest".*some of forest-rounds, forest, rounds/],
    [{ folds: 1 }, /option "folds" is 1/],
    [{ prediction: undefined }, /the option "prediction" is needed/],
    [{ fold: 'fold' }, /there is no option "fold"/],
    [{ label: 'z' }, /no such column/],
  ])('%j', async (options, message) => {
    expect((await refused(options)).message).toMatch(message)
  })

  it('tables without rows, and too small ones', async () => {
    const empty = makeTable({ x: [], y: [], score: [] })
    expect((await failureOf(compareMethods(empty, OURS))).code).toBe('FB_NO_ROWS')
    expect((await failureOf(compareMethods({ chunks: () => [] }, OURS))).code).toBe('FB_NO_ROWS')
    const small = await failureOf(compareMethods(makePopulation({ rows: 25 }), OURS))
    expect(small.message).toMatch(/fold \d of 3 has \d of 25 rows.*Compare with fewer folds/)
  })
})

describe('a comparison on a wide table', () => {
  it('goes on with one condition at a time, and says so', async () => {
    const random = makeRandom(3)
    const [rows, columns] = [300, 130]
    const draw = () => Array.from({ length: rows }, () => random.next())
    const features = Object.fromEntries(Array.from({ length: columns }, (_, index) => [`x${index}`, draw()]))
    const score = draw().map(u => 0.1 + 0.8 * u)
    const table = makeTable({ ...features, score, y: score.map(chance => Number(random.next() < chance)) })
    const roles = { label: 'y', prediction: 'score' } as const
    const found = await compareMethods(table, { ...roles, methods: ['platt'], folds: 2, segmentDepth: 0 })
    expect(found.auditors).toContain('depth 1 on 130 columns')
  })
})

describe('the order of simplicity', () => {
  it('has every method', () => {
    expect(SIMPLEST_FIRST).toEqual(expect.arrayContaining([...METHODS]))
    expect(new Set(SIMPLEST_FIRST).size).toBe(SIMPLEST_FIRST.length)
  })
})
