// The search over groups against one that goes through the rows; a closer look; the oracle that minds noise.

import { describe, expect, it } from 'vitest'
import { groupTree } from '../../../src/classes/groups.ts'
import { levelAmong, ONE } from '../../../src/common/units.ts'
import type { Engine, EngineRows } from '../../../src/engine/engine.ts'
import { memoryEngine } from '../../../src/engine/memory/memory.ts'
import { referenceEngine } from '../../../src/engine/reference/reference.ts'
import { Evidence, leastWeightOf, readLevels } from '../../../src/oracle/groups/evidence.ts'
import { openFamily } from '../../../src/oracle/groups/family.ts'
import { openFinder, sureGroups } from '../../../src/oracle/groups/find.ts'
import { chooseCuts } from '../../../src/oracle/groups/levels.ts'
import { polishGroup, weighGroup } from '../../../src/oracle/groups/polish.ts'
import { leastEvidence, searchGroups } from '../../../src/oracle/groups/search.ts'
import { sureOracle } from '../../../src/oracle/groups/sureOracle.ts'
import type { Condition } from '../../../src/update/update.ts'
import { findLeaf, flattenTree } from '../../../src/update/walk.ts'
import { drawGroupRows, FEATURES, PLANTED, SCHEMAS } from '../../support/groupRows.ts'

async function open(engine: Engine) {
  const levelCuts = await chooseCuts(engine, 0, 5)
  const place = { engine, fold: 0, levelCuts, schemas: SCHEMAS, features: FEATURES }
  const family = await openFamily(engine, { ...place, levels: levelCuts.length + 1, depth: 2 })
  const evidence = new Evidence(await readLevels(engine, 0, levelCuts))
  return { place, family, evidence, levelCuts }
}

/** Sums of a group, row by row. */
function naiveWeigh(
  rows: EngineRows,
  evidence: Evidence,
  cuts: Int32Array,
  path: readonly Condition[],
): number {
  const tree = flattenTree(groupTree(path), rows.binCounts)
  const [counts, residuals] = [new Float64Array(cuts.length + 1), new Float64Array(cuts.length + 1)]
  for (let row = 0; row < rows.rowCount; row++) {
    if (findLeaf(tree, rows.bins, row, 0) !== 0) continue
    counts[levelAmong(rows.start[row], cuts)]++
    residuals[levelAmong(rows.start[row], cuts)] += rows.label[row] - rows.start[row]
  }
  return evidence.weigh(counts, residuals)
}

describe('a search for the group that is most surely off', () => {
  it('finds the best of all groups of at most two splits', async () => {
    for (const seed of [1, 2, 3]) {
      const rows = drawGroupRows(1500, seed, seed === 1 ? undefined : PLANTED)
      const { evidence, family, levelCuts } = await open(referenceEngine(rows))
      const splits = family.axes.flatMap(({ steps }) => steps.splits)
      const sides = splits.flatMap(split => [true, false].map(yes => ({ split, yes })))
      const paths = [[], ...sides.map(one => [one]), ...sides.flatMap(a => sides.map(b => [a, b]))]
      const best = Math.max(...paths.map(path => naiveWeigh(rows, evidence, levelCuts, path)))
      const found = await searchGroups(family, evidence, { least: 0, wanted: 3 })
      expect(best).toBeGreaterThan(0)
      expect(found[0].evidence).toBe(best)
      expect(found.map(each => naiveWeigh(rows, evidence, levelCuts, each.path))).toEqual(
        found.map(each => each.evidence),
      )
    }
  })

  it('is the same for both engines, and says nothing of what is not asked for', async () => {
    const rows = drawGroupRows(3000, 4, PLANTED)
    const plain = await open(referenceEngine(rows))
    const engine = await memoryEngine({ threads: 2 })(rows)
    const fast = await open(engine)
    const bounds = { least: 0, wanted: 5 }
    const found = await searchGroups(plain.family, plain.evidence, bounds)
    expect(await searchGroups(fast.family, fast.evidence, bounds)).toEqual(found)
    const least = found[2].evidence
    expect(await searchGroups(fast.family, fast.evidence, { least, wanted: 5 })).toEqual(found.slice(0, 2))
    await engine.close()
  })

  it('leaves out splits that part off too few rows', async () => {
    const engine = referenceEngine(drawGroupRows(300, 5))
    const { levelCuts, place } = await open(engine)
    const leastWeight = leastWeightOf(await readLevels(engine, 0, levelCuts), 300)
    const family = await openFamily(engine, { ...place, levels: levelCuts.length + 1, depth: 2, leastWeight })
    expect(leastWeight).toBeGreaterThan(80)
    const kept = family.axes[0].steps.splits.map(split => (split.kind === 'atMost' ? split.bin : -1))
    expect(kept).toEqual([7, 11])
  })
})

describe('a closer look', () => {
  it('moves a cut to where it was planted, and drops what says nothing', async () => {
    const { evidence, place } = await open(referenceEngine(drawGroupRows(20_000, 6, PLANTED)))
    const path: Condition[] = [
      { split: { kind: 'atMost', feature: 0, bin: 7, missing: false }, yes: true },
      { split: { kind: 'in', feature: 1, bins: [1] }, yes: true },
      { split: { kind: 'atMost', feature: 3, bin: 18, missing: false }, yes: true },
    ]
    const found = await polishGroup(place, evidence, await weighGroup(place, evidence, path))
    expect(found.path).toEqual([
      { split: { kind: 'atMost', feature: 0, bin: 8, missing: false }, yes: true },
      { split: { kind: 'in', feature: 1, bins: [1] }, yes: true },
    ])
  })

  it('adds a third condition where it says much', async () => {
    const rows = drawGroupRows(20_000, 7, ({ bins, score }) =>
      bins[0] <= 7 && bins[1] === 1 && bins[3] > 11 ? score + 0.2 : score,
    )
    const { evidence, place } = await open(referenceEngine(rows))
    const path = [
      { split: { kind: 'atMost', feature: 0, bin: 7, missing: false }, yes: true },
      { split: { kind: 'in', feature: 1, bins: [1] }, yes: true },
    ] as const
    const found = await polishGroup(place, evidence, await weighGroup(place, evidence, path))
    expect(found.path.slice(0, 2)).toEqual(path)
    expect(found.path[2]).toEqual({
      split: { kind: 'atMost', feature: 3, bin: 11, missing: false },
      yes: false,
    })
  })
})

describe('groups that are surely off', () => {
  it('are none where the score is the truth, but for one search in many', async () => {
    let found = 0
    for (let seed = 0; seed < 60; seed++) {
      const finder = await openFinder(referenceEngine(drawGroupRows(600, 100 + seed)), FIND)
      const { value } = await sureGroups(finder, () => 0).next()
      if (value !== undefined) found++
    }
    // At a rate of 0.02 there are more than 5 of 60 about once in seven hundred times.
    expect(found).toBeLessThanOrEqual(5)
  })

  it('need less evidence where others were mended, and more where more is searched', async () => {
    const { family } = await open(referenceEngine(drawGroupRows(600, 8)))
    const less = { ...family, axes: family.axes.slice(0, 2) }
    expect(leastEvidence(less)).toBeLessThan(leastEvidence(family))
    expect(leastEvidence({ ...family, depth: 1 })).toBeLessThan(leastEvidence(family))
  })
})

const FIND = { fold: 0, schemas: SCHEMAS, features: FEATURES, cellBudget: 2 ** 26 }

describe('the oracle that minds noise', () => {
  const oracle = sureOracle({ ...FIND, levels: 20 })

  it('proposes a table for the group that is surely off, which gains on rows it has not seen', async () => {
    const proposal = await oracle.propose(referenceEngine(drawGroupRows(8000, 9, PLANTED)), 0)
    expect(proposal.update.kind).toBe('table')
    const fresh = referenceEngine(drawGroupRows(8000, 10, PLANTED))
    const [before] = await fresh.losses()
    const [after] = await fresh.evaluate(proposal.update)
    const drop = (before.squares.high - after.squares.high) / ONE / 8000
    expect(drop).toBeGreaterThan(0.5 * proposal.gain)
    expect(proposal.gain).toBeGreaterThan(0)
  })

  it('proposes to stay where nothing is sure', async () => {
    const { gain, update } = await oracle.propose(referenceEngine(drawGroupRows(2000, 11)), 0)
    expect(gain).toBe(0)
    expect(update).toMatchObject({ kind: 'table', values: [0] })
  })

  it('looks for single conditions first where pairs would be too many cells', async () => {
    const small = sureOracle({ ...FIND, cellBudget: 1, levels: 20 })
    const { update } = await small.propose(referenceEngine(drawGroupRows(8000, 9, PLANTED)), 0)
    expect(JSON.stringify(update)).toContain('"feature":1')
  })
})
