// Evidence of one score says what the audit says, and its groups are what their predicates say.

import { beforeAll, describe, expect, it } from 'vitest'
import { matchRows } from '../../src/classes/matches.ts'
import { valueAt } from '../../src/data/column.ts'
import {
  type Audit,
  audit,
  collectEvidence,
  type Evidence,
  groups,
  makeTable,
  type Predicate,
  type Table,
} from '../../src/index.ts'
import { measuresOf } from '../../src/internal.ts'
import { inChunks, makePopulation, reordered } from './population.ts'

const OPTIONS = {
  label: 'y',
  prediction: 'score',
  except: ['fold'],
  bins: 5,
  coarseBins: 8,
  draws: 9,
} as const

const numbers = (table: Table, name: string) => {
  const column = table.columns.find(each => each.name === name)!
  return Array.from({ length: table.rowCount }, (_, row) => Number(valueAt(column, row)))
}

/** Size, mean label and gap of a group, row by row. */
function plainly(table: Table, where: readonly Predicate[]) {
  const [labels, scores] = [numbers(table, 'y'), numbers(table, 'score')]
  const matched = matchRows(table, where)
  const rows = [...labels.keys()].filter(row => matched[row] === 1)
  const mean = (values: readonly number[]) => rows.reduce((sum, row) => sum + values[row], 0) / rows.length
  return { weight: rows.length, meanLabel: mean(labels), gap: mean(labels) - mean(scores) }
}

describe('evidence of a score', () => {
  const table = makePopulation()
  let found: Audit
  let evidence: Evidence
  beforeAll(async () => {
    found = await audit(table, OPTIONS)
    evidence = await collectEvidence(table, {
      ...OPTIONS,
      name: 'people.csv',
      command: 'featureboost report',
    })
  })

  it('has the measures, the bins and the worst groups of the audit', () => {
    const { before, verdict, worst } = evidence
    expect(before.measures.map(({ estimate, key }) => [key, estimate.value])).toEqual(
      measuresOf(found).map(({ estimate, key }) => [key, estimate.value]),
    )
    expect(before.significance).toEqual(found.significance)
    expect(before.reliability.bins).toEqual(found.measures.eceWidth.bins)
    expect(worst.slice(0, found.worst.length).map(({ words }) => words)).toEqual(
      found.worst.map(({ group }) => group),
    )
    expect(new Set(worst.map(({ sql }) => sql)).size).toBe(worst.length)
    expect(verdict.sentence).toBe(found.verdict)
    expect(verdict.level).not.toBe('good')
  })

  it('says what the data is', () => {
    const { about } = evidence
    expect(about).toMatchObject({
      name: 'people.csv',
      command: 'featureboost report',
      rowCount: 3000,
      auditedCount: 3000,
      rows: 'all',
      label: 'y',
      score: 'score',
    })
    expect(about.baseRate).toBeCloseTo(numbers(table, 'y').reduce((sum, y) => sum + y, 0) / 3000, 12)
    expect(about.columns.map(({ name, role }) => [name, role])).toEqual([
      ['y', 'label'],
      ['score', 'score'],
      ['region', 'feature'],
      ['age', 'feature'],
      ['member', 'feature'],
      ['fold', 'other'],
    ])
    expect(about.options).toMatchObject({ bins: 5, confidence: 0.95 })
  })

  it('maps groups whose sizes and gaps are those of the rows that their predicates match', () => {
    const { parts, segments, testCount } = evidence.segments
    expect(segments.length).toBeGreaterThan(50)
    expect(testCount).toBeGreaterThanOrEqual(segments.length)
    for (const segment of segments) {
      const where = segment.parts.flatMap(part => parts[part].where!)
      const { gap, meanLabel, weight } = plainly(table, where)
      expect(segment.weight).toBe(weight)
      expect(segment.meanLabel).toBeCloseTo(meanLabel, 5)
      expect(segment.before.gap).toBeCloseTo(gap, 5)
      expect(segment.before.low).toBeLessThanOrEqual(segment.before.gap)
      expect(segment.before.high).toBeGreaterThanOrEqual(segment.before.gap)
    }
    const [first] = segments
    expect(first.parts.map(part => parts[part].words)).toContain('region = east')
    expect(first.before.p).toBeLessThan(1e-6)
    expect(parts[first.parts[0]].where).toEqual([{ column: 'region', in: ['east'] }])
  })

  it('has an interval that leaves out 0 just where the corrected p-value is small', () => {
    const { confidence, segments } = evidence.segments
    // Those that the search lists have its p-values, which are found by drawing.
    const told = new Set(evidence.worst.map(({ before }) => before.gap))
    const own = segments.filter(({ before }) => !told.has(before.gap))
    expect(own.length).toBeGreaterThan(10)
    for (const { before } of own.filter(
      ({ before }) => before.low > -before.meanScore && before.high < 1 - before.meanScore,
    )) {
      const outside = before.low > 0 || before.high < 0
      expect(outside).toBe(before.p! < 1 - confidence)
    }
    expect(segments.some(({ before }) => before.p! < 0.05)).toBe(true)
    expect(segments.some(({ before }) => before.p === 1)).toBe(true)
  })

  it('tells one interval of a group, wherever it is listed, and draws none that may be right outside the zone', () => {
    const { segments, worst } = evidence
    const listed = new Map(
      worst.map(({ before, scores, words }) => [scores === undefined ? words : '', before]),
    )
    const shared = segments.segments.flatMap(segment => {
      const gap = listed.get(segment.parts.map(part => segments.parts[part].words).join(' and '))
      return gap === undefined ? [] : [[segment.before, gap]]
    })
    expect(shared.length).toBeGreaterThan(0)
    for (const [drawn, told] of shared) expect(drawn).toEqual(told)
    for (const { before, weight } of segments.segments) {
      const isOutside = Math.abs(before.gap) > segments.zone / Math.sqrt(weight)
      expect(isOutside && before.low <= 0 && before.high >= 0).toBe(false)
    }
  })

  it('has a heat map whose cells add up to their groups', () => {
    const { heat, segments } = evidence
    expect(heat.rows.length).toBeGreaterThan(8)
    for (const { before, part } of heat.rows) {
      const cells = before.filter(cell => cell !== null)
      const whole = plainly(table, segments.parts[part].where!)
      expect(cells.reduce((sum, { weight }) => sum + weight, 0)).toBe(whole.weight)
      const gap = cells.reduce((sum, cell) => sum + cell.weight * cell.gap, 0) / whole.weight
      expect(gap).toBeCloseTo(whole.gap, 4)
    }
  })

  it('has an error against K that is the one of the audit at its K, and levels that hold all rows', () => {
    const { points } = evidence.before.curve
    expect(points.find(({ bins }) => bins === 5)!.error).toBe(found.multicalibration.value)
    for (const { bins, levels } of points) {
      expect(levels.reduce((sum, { weight }) => sum + weight, 0)).toBe(3000)
      expect(levels.length).toBeLessThanOrEqual(bins)
      for (const { from, to, value } of levels) expect(value >= from && value <= to).toBe(true)
    }
  })

  it('has a walk whose range is the ECCE, and histograms that hold all rows', () => {
    const { reliability, walk } = evidence.before
    const sums = walk.points.map(({ sum }) => sum)
    expect(walk.range).toBe(found.measures.ecce.value)
    expect(Math.max(...sums) - Math.min(...sums)).toBeCloseTo(walk.range, 5)
    expect(walk.points.length).toBeLessThan(460)
    expect(walk.points[walk.points.length - 1]).toMatchObject({ share: 1 })
    expect(walk.points[walk.points.length - 1].noise).toBeCloseTo(walk.sigma, 6)
    for (const bins of [reliability.bins, reliability.logitBins]) {
      expect(bins.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(3000)
    }
    expect(reliability.histogram.reduce((sum, count) => sum + count, 0)).toBe(3000)
    expect(reliability.rare).toBe(false)
  })

  it('is the same from chunks, in another order of rows, and with an audit at hand', async () => {
    const plain = { ...OPTIONS, name: 'people.csv', command: 'featureboost report' }
    expect(await collectEvidence(inChunks(table), plain)).toEqual(evidence)
    expect(await collectEvidence(reordered(table), plain)).toEqual(evidence)
    expect(await collectEvidence(table, { ...plain, audited: found })).toEqual(evidence)
  })

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence)
  })
})

describe('evidence of other scores', () => {
  it('shows the groups that were declared, and nothing else', async () => {
    const table = makePopulation({ weighted: true })
    const declared = groups(['region', { name: 'the young', where: [{ column: 'age', below: 30 }] }])
    const { about, heat, segments } = await collectEvidence(table, {
      ...OPTIONS,
      weight: 'w',
      auditors: declared,
    })
    expect(segments.parts.map(({ words }) => words)).toEqual([
      'everyone',
      'region = east',
      'region = north',
      'region = south',
      'region = west',
      'the young',
    ])
    expect(segments.testCount).toBe(6)
    expect(heat.rows).toHaveLength(6)
    const everyone = segments.segments.find(({ parts }) => segments.parts[parts[0]].words === 'everyone')!
    // Rows are rows; the sum of weights is told apart.
    expect(everyone.weight).toBe(3000)
    expect(about.weight).toBe(numbers(table, 'w').reduce((sum, w) => sum + w, 0))
  })

  it('knows rare outcomes, and labels between 0 and 1', async () => {
    const rare = await collectEvidence(makePopulation({ rate: 0.02 }), OPTIONS)
    expect(rare.before.reliability.rare).toBe(true)
    expect(rare.heat.edges.slice(0, 3)).toEqual([0, 0.005, 0.01])
    const filled = rare.heat.rows[0].before.filter(cell => cell !== null)
    expect(filled.length).toBeGreaterThan(2)
    expect(filled.reduce((sum, { weight }) => sum + weight, 0)).toBe(3000)
    const common = await collectEvidence(makePopulation({ rate: 0.99, rows: 400 }), OPTIONS)
    expect(common.heat.edges.slice(-2)).toEqual([0.995, 1])
    expect(rare.before.reliability.logitBins.length).toBeGreaterThan(rare.before.reliability.bins.length)
    const soft = await collectEvidence(makePopulation({ soft: true }), OPTIONS)
    expect(soft.before.significance.noise).toBe('labels')
    expect(soft.segments.segments[0].before.p).toBeLessThan(0.01)
  })

  it('says so where no group has enough rows', async () => {
    const few = await collectEvidence(makePopulation({ rows: 12 }), { ...OPTIONS, rare: 0.2 })
    expect(few.segments.segments).toEqual([])
    expect(few.segments.tooSmall).toBeGreaterThan(0)
    expect(few.verdict).toMatchObject({
      sentence: 'No group has enough rows to say anything.',
      level: 'attention',
    })
  })

  it('stays small with many columns, values and letters, and names no value of few rows', async () => {
    const rows = 1500
    const long = (letter: string, index: number) => `${letter.repeat(400)}${index}`
    const columns: Record<string, (number | string)[]> = {
      y: Array.from({ length: rows }, (_, row) => row % 2),
      score: Array.from({ length: rows }, (_, row) => ((row * 37) % 100) / 100),
      ids: Array.from({ length: rows }, (_, row) => long('=', row)),
      names: Array.from({ length: rows }, (_, row) => (row < 9 ? 'secret' : `common ${row % 3}`)),
    }
    for (let index = 0; index < 120; index++) {
      columns[long('<', index)] = Array.from({ length: rows }, (_, row) => (row * (index + 3)) % 17)
    }
    const evidence = await collectEvidence(makeTable(columns), {
      label: 'y',
      prediction: 'score',
      bins: 2,
      coarseBins: 4,
      draws: 0,
      auditors: { kind: 'trees', depth: 1 },
    })
    const text = JSON.stringify(evidence)
    expect(text.length).toBeLessThan(700_000)
    expect(evidence.about.columns).toHaveLength(100)
    expect(evidence.about.moreColumns).toBe(24)
    const names = evidence.about.columns.find(({ name }) => name === 'names')!.histogram
    expect(names).toMatchObject({ kind: 'values', otherCount: 1, otherRows: 9 })
    expect(JSON.stringify(names)).not.toContain('secret')
    expect(Math.max(...evidence.segments.parts.map(({ words }) => words.length))).toBeLessThanOrEqual(90)
  })
})
