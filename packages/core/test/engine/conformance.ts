// The conformance suite: every engine answers every question exactly as the row-by-row definitions do.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError } from '../../src/common/errors.ts'
import { ONE } from '../../src/common/units.ts'
import type { Engine, EngineRows, FoldLoss } from '../../src/engine/engine.ts'
import { type SampledRows, sampleRows, sampleRule } from '../../src/engine/sample.ts'
import { leafCount, ROOT, type Update } from '../../src/update/update.ts'
import {
  naiveDrawn,
  naiveFold,
  naiveLeaf,
  naiveLevel,
  naiveMoved,
  naiveSquare,
  naiveSums,
  naiveVariance,
  naiveWeight,
} from '../support/naive.ts'
import { rowsArbitrary, treeArbitrary } from '../support/rows.ts'
import { anyLevels, anyRows, anyRun, anyUpdate, levelValuesArbitrary } from '../support/runs.ts'

export type MakeEngine = (rows: EngineRows) => Engine | Promise<Engine>

export function describeEngine(name: string, makeEngine: MakeEngine): void {
  const started = async (rows: EngineRows, updates: readonly Update[]) => {
    const engine = await makeEngine(rows)
    for (const update of updates) await engine.apply(update)
    return engine
  }
  const optional = (levelValues: Int32Array | undefined) => (levelValues === undefined ? {} : { levelValues })

  describe(`${name} conforms to the definitions`, () => {
    it('sums weight and residual in every [feature, leaf, bin, level] cell', async () => {
      const run = anyRun.chain(given =>
        fc.record({
          given: fc.constant(given),
          levels: anyLevels,
          tree: treeArbitrary(given.rows, 2),
          coarse: fc.boolean(),
        }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ given, levels, tree, coarse }) => {
          const { rows, predictions, updates } = given
          const engine = await started(rows, updates)
          const features = rows.bins.map((_, feature) => feature).reverse()
          const resolution = coarse ? 'coarse' : 'fine'
          const histogram = await engine.histogram({ fold: 0, levels, tree, features, resolution })
          features.forEach((feature, index) => {
            const bins = (coarse ? rows.coarseCounts : rows.binCounts)[feature]
            const size = leafCount(tree) * bins * levels
            const cellOf = (row: number) => {
              const fine = rows.bins[feature][row]
              const bin = coarse ? rows.coarseOf[feature][fine] : fine
              const leaf = naiveLeaf(tree, rows, row, predictions[row])
              return (leaf * bins + bin) * levels + naiveLevel(predictions[row], levels)
            }
            const from = histogram.offsets[index]
            const residual = (row: number) => rows.label[row] - predictions[row]
            expect(Array.from(histogram.counts.slice(from, from + size))).toEqual(
              naiveSums(rows, 0, size, cellOf, () => 1),
            )
            expect(Array.from(histogram.residuals.slice(from, from + size))).toEqual(
              naiveSums(rows, 0, size, cellOf, residual),
            )
          })
          await engine.close()
        }),
      )
    })

    it('counts only the leaves asked for, in the order asked, and skips the rows of all others', async () => {
      const shape = { maxRows: 40, maxFeatures: 3, signals: 0 }
      const run = fc
        .tuple(fc.boolean(), fc.boolean())
        .chain(([folds, weights]) => rowsArbitrary({ ...shape, folds, weights }))
        .chain(rows => fc.tuple(fc.constant(rows), treeArbitrary(rows, 3)))
        .chain(([rows, tree]) =>
          fc.record({
            rows: fc.constant(rows),
            tree: fc.constant(tree),
            leaves: fc.shuffledSubarray(Array.from({ length: leafCount(tree) }, (_, leaf) => leaf)),
            levels: anyLevels,
            fold: fc.integer({ min: 0, max: rows.fold === undefined ? 0 : 1 }),
            resolution: fc.constantFrom('fine' as const, 'coarse' as const),
          }),
        )
      await fc.assert(
        fc.asyncProperty(run, async ({ rows, tree, leaves, levels, fold, resolution }) => {
          const engine = await makeEngine(rows)
          const features = rows.bins.map((_, feature) => feature)
          const sums = await engine.histogram({ fold, levels, tree, leaves, features, resolution })
          let size = 0
          features.forEach((feature, index) => {
            const coarse = resolution === 'coarse'
            const bins = (coarse ? rows.coarseCounts : rows.binCounts)[feature]
            const cells = leaves.length * bins * levels
            const cellOf = (row: number) => {
              const fine = rows.bins[feature][row]
              const place = leaves.indexOf(naiveLeaf(tree, rows, row, rows.start[row]))
              const cell = place * bins + (coarse ? rows.coarseOf[feature][fine] : fine)
              return place < 0 ? cells : cell * levels + naiveLevel(rows.start[row], levels)
            }
            const expected = (valueAt: (row: number) => number) =>
              naiveSums(rows, fold, cells + 1, cellOf, valueAt).slice(0, cells)
            expect(sums.offsets[index]).toBe(size)
            expect(Array.from(sums.counts.slice(size, size + cells))).toEqual(expected(() => 1))
            expect(Array.from(sums.residuals.slice(size, size + cells))).toEqual(
              expected(row => rows.label[row] - rows.start[row]),
            )
            size += cells
          })
          expect(sums.counts).toHaveLength(size)
          await engine.close()
        }),
      )
    })

    it('sums features and pairs by levels that end at given cuts, a prediction at a cut lying above it', async () => {
      const run = fc.record({
        given: anyRun,
        wanted: fc.uniqueArray(fc.nat(), { maxLength: 6 }),
      })
      await fc.assert(
        fc.asyncProperty(run, async ({ given: { rows, predictions, updates }, wanted }) => {
          fc.pre(rows.bins.length > 1)
          const engine = await started(rows, updates)
          // Cuts at predictions themselves, where it matters on which side they lie.
          const at = wanted.map(place => predictions[place % rows.rowCount])
          const levelCuts = Int32Array.from(new Set(at)).sort()
          const levels = levelCuts.length + 1
          const levelOf = (row: number) => levelCuts.filter(cut => cut <= predictions[row]).length
          const residual = (row: number) => rows.label[row] - predictions[row]
          const fine = await engine.histogram({
            ...{ fold: 0, levels, levelCuts, tree: ROOT, features: [0], resolution: 'fine' as const },
          })
          const fineCell = (row: number) => rows.bins[0][row] * levels + levelOf(row)
          const size = rows.binCounts[0] * levels
          expect(Array.from(fine.counts)).toEqual(naiveSums(rows, 0, size, fineCell, () => 1))
          expect(Array.from(fine.residuals)).toEqual(naiveSums(rows, 0, size, fineCell, residual))
          const joint = await engine.jointHistogram({ fold: 0, levels, levelCuts, pairs: [[1, 0]] })
          const coarse = (feature: number, row: number) => rows.coarseOf[feature][rows.bins[feature][row]]
          const cell = (row: number) =>
            (coarse(1, row) * rows.coarseCounts[0] + coarse(0, row)) * levels + levelOf(row)
          const cells = rows.coarseCounts[1] * rows.coarseCounts[0] * levels
          expect(Array.from(joint.counts)).toEqual(naiveSums(rows, 0, cells, cell, () => 1))
          expect(Array.from(joint.residuals)).toEqual(naiveSums(rows, 0, cells, cell, residual))
          await engine.close()
        }),
      )
    })

    it('sums every cell of pairs of features, against own or rounded predictions', async () => {
      const run = fc.tuple(anyRun, anyLevels).chain(([given, levels]) =>
        fc.record({
          given: fc.constant(given),
          levels: fc.constant(levels),
          levelValues: levelValuesArbitrary(levels),
        }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ given, levels, levelValues }) => {
          const { rows, predictions, updates } = given
          fc.pre(rows.bins.length > 1)
          const engine = await started(rows, updates)
          const pairs =
            rows.bins.length > 2
              ? ([
                  [1, 0],
                  [0, 2],
                ] as const)
              : ([[1, 0]] as const)
          const sums = await engine.jointHistogram({ fold: 0, levels, pairs, ...optional(levelValues) })
          const coarse = (feature: number, row: number) => rows.coarseOf[feature][rows.bins[feature][row]]
          const predicted = (row: number) =>
            levelValues?.[naiveLevel(predictions[row], levels)] ?? predictions[row]
          pairs.forEach(([a, b], index) => {
            const size = rows.coarseCounts[a] * rows.coarseCounts[b] * levels
            const from = sums.offsets[index]
            const cellOf = (row: number) =>
              (coarse(a, row) * rows.coarseCounts[b] + coarse(b, row)) * levels +
              naiveLevel(predictions[row], levels)
            expect(Array.from(sums.counts.slice(from, from + size))).toEqual(
              naiveSums(rows, 0, size, cellOf, () => 1),
            )
            expect(Array.from(sums.residuals.slice(from, from + size))).toEqual(
              naiveSums(rows, 0, size, cellOf, row => rows.label[row] - predicted(row)),
            )
          })
          await engine.close()
        }),
      )
    })

    it('counts residuals with the signs of their levels, all levels together', async () => {
      const run = fc.tuple(anyRun, anyLevels).chain(([given, levels]) =>
        fc.record({
          given: fc.constant(given),
          levelSigns: fc
            .array(fc.constantFrom(-1, 1), { minLength: levels, maxLength: levels })
            .map(signs => Int32Array.from(signs)),
          levelValues: levelValuesArbitrary(levels),
        }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ given, levelSigns, levelValues }) => {
          const { rows, predictions, updates } = given
          fc.pre(rows.bins.length > 1)
          const engine = await started(rows, updates)
          const asked = { fold: 0, levels: 1, levelSigns, ...optional(levelValues) }
          const single = { ...asked, tree: ROOT, features: [1], resolution: 'coarse' } as const
          const joint = await engine.jointHistogram({ ...asked, pairs: [[1, 0]] })
          const level = (row: number) => naiveLevel(predictions[row], levelSigns.length)
          const residual = (row: number) =>
            levelSigns[level(row)] * (rows.label[row] - (levelValues?.[level(row)] ?? predictions[row]))
          const coarse = (feature: number, row: number) => rows.coarseOf[feature][rows.bins[feature][row]]
          const size = rows.coarseCounts[1] * rows.coarseCounts[0]
          const cellOf = (row: number) => coarse(1, row) * rows.coarseCounts[0] + coarse(0, row)
          expect(Array.from(joint.residuals)).toEqual(naiveSums(rows, 0, size, cellOf, residual))
          expect(Array.from(joint.counts)).toEqual(naiveSums(rows, 0, size, cellOf, () => 1))
          expect(Array.from((await engine.histogram(single)).residuals)).toEqual(
            naiveSums(rows, 0, rows.coarseCounts[1], row => coarse(1, row), residual),
          )
          await engine.close()
        }),
      )
    })

    it('sums every leaf and level of several trees, in either fold', async () => {
      const run = fc.tuple(anyRun, anyLevels).chain(([given, levels]) =>
        fc.record({
          given: fc.constant(given),
          levels: fc.constant(levels),
          levelValues: levelValuesArbitrary(levels),
          trees: fc.array(treeArbitrary(given.rows, 2), { minLength: 1, maxLength: 3 }),
          fold: fc.integer({ min: 0, max: given.rows.fold === undefined ? 0 : 1 }),
        }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ given, levels, levelValues, trees, fold }) => {
          const { rows, predictions, updates } = given
          const engine = await started(rows, updates)
          const answers = await engine.levelSums({ fold, levels, trees, ...optional(levelValues) })
          trees.forEach((tree, index) => {
            const size = leafCount(tree) * levels
            const cellOf = (row: number) =>
              naiveLeaf(tree, rows, row, predictions[row]) * levels + naiveLevel(predictions[row], levels)
            const predicted = (row: number) =>
              levelValues?.[naiveLevel(predictions[row], levels)] ?? predictions[row]
            const residual = (row: number) => rows.label[row] - predicted(row)
            expect(Array.from(answers[index].counts)).toEqual(naiveSums(rows, fold, size, cellOf, () => 1))
            expect(Array.from(answers[index].residuals)).toEqual(
              naiveSums(rows, fold, size, cellOf, residual),
            )
            expect(Array.from(answers[index].predictions)).toEqual(
              naiveSums(rows, fold, size, cellOf, row => predictions[row]),
            )
          })
          await engine.close()
        }),
      )
    })

    it('puts a drawn label or its variance in the place of the label', async () => {
      const run = fc.record({
        given: anyRun,
        levels: anyLevels,
        noise: fc.constantFrom('labels' as const, 'signs' as const, { errors: 2 ** 21 }),
        draw: fc.integer({ min: 0, max: 5 }),
        shift: fc.integer({ min: 0, max: 3 }),
      })
      await fc.assert(
        fc.asyncProperty(run, async ({ given, levels, noise, draw, shift }) => {
          const { predictions, updates } = given
          const key = keysOf(given.rows)
          const rows = { ...given.rows, key }
          const engine = await started(rows, updates)
          const request = { fold: 0, levels, tree: ROOT, features: [0], resolution: 'fine' } as const
          const size = rows.binCounts[0] * levels
          const cellOf = (row: number) => rows.bins[0][row] * levels + naiveLevel(predictions[row], levels)
          const drawn = await engine.histogram({ ...request, outcome: { kind: 'drawn', noise, draw } })
          const outcome = (row: number) =>
            naiveDrawn(noise, rows.label[row], predictions[row], key[row], draw) - predictions[row]
          expect(Array.from(drawn.residuals)).toEqual(naiveSums(rows, 0, size, cellOf, outcome))
          expect(Array.from(drawn.counts)).toEqual(naiveSums(rows, 0, size, cellOf, () => 1))
          const squared = { ...rows, weight: Int32Array.from(key, (_, row) => naiveSquare(rows, row, shift)) }
          const [variance] = await engine.levelSums({
            fold: 0,
            levels,
            trees: [ROOT],
            outcome: { kind: 'variance', noise, shift },
          })
          const spread = (row: number) => naiveVariance(noise, rows.label[row], predictions[row])
          const levelAt = (row: number) => naiveLevel(predictions[row], levels)
          expect(Array.from(variance.residuals)).toEqual(naiveSums(squared, 0, levels, levelAt, spread))
          expect(Array.from(variance.counts)).toEqual(naiveSums(squared, 0, levels, levelAt, () => 1))
          const [again] = await engine.levelSums({ fold: 0, levels, trees: [ROOT] })
          const residual = (row: number) => rows.label[row] - predictions[row]
          expect(Array.from(again.residuals)).toEqual(naiveSums(rows, 0, levels, levelAt, residual))
          await engine.close()
        }),
      )
    })

    it('follows the predictions when they move: a variance is of where they stand', async () => {
      const [rows] = fc.sample(anyRows, { numRuns: 1, seed: 3 })
      const engine = await makeEngine({ ...rows, key: new Int32Array(rows.rowCount) })
      const outcome = { kind: 'variance', noise: 'labels', shift: 0 } as const
      const ask = async () => (await engine.levelSums({ fold: 0, levels: 1, trees: [ROOT], outcome }))[0]
      const before = await ask()
      await engine.apply({ kind: 'table', tree: ROOT, levels: 1, values: [ONE] })
      expect(Array.from((await ask()).residuals)).toEqual([0])
      await engine.reset()
      expect(await ask()).toEqual(before)
      await engine.close()
    })

    it('draws nothing for rows without keys', async () => {
      const [rows] = fc.sample(anyRows, { numRuns: 1, seed: 1 })
      const engine = await makeEngine(rows)
      const outcome = { kind: 'drawn', noise: 'labels', draw: 0 } as const
      await expect(engine.levelSums({ fold: 0, levels: 1, trees: [ROOT], outcome })).rejects.toThrow(
        'no keys',
      )
      await engine.close()
    })

    it('gives second moments of the signals whose two parts make up the exact sum', async () => {
      await fc.assert(
        fc.asyncProperty(anyRun, anyLevels, async ({ rows, predictions, updates }, levels) => {
          const engine = await started(rows, updates)
          const moments = await engine.moments({ fold: 0, levels, signals: [1, 0] })
          const signal = (index: number, row: number) => rows.signals[[1, 0][index]][row]
          const exact = (level: number, measure: (row: number) => bigint) => {
            let sum = 0n
            for (let row = 0; row < rows.rowCount; row++) {
              if (naiveFold(rows, row) !== 0 || naiveLevel(predictions[row], levels) !== level) continue
              sum += BigInt(naiveWeight(rows, row)) * measure(row)
            }
            return sum
          }
          moments.forEach((moment, level) => {
            expect(moment.count).toBe(Number(exact(level, () => 1n)))
            for (let i = 0; i < 2; i++) {
              const residual = (row: number) => BigInt(rows.label[row] - predictions[row])
              expect(joined(moment.cross[i])).toBe(
                exact(level, row => BigInt(signal(i, row)) * residual(row)),
              )
              for (let j = 0; j < 2; j++) {
                const product = (row: number) => BigInt(signal(i, row)) * BigInt(signal(j, row))
                expect(joined(moment.gram[2 * i + j])).toBe(exact(level, product))
              }
            }
          })
          await engine.close()
        }),
      )
    })

    it('moves every prediction by the update and clips it; evaluating moves nothing', async () => {
      const run = anyRun.chain(given =>
        fc.record({ given: fc.constant(given), update: anyUpdate(given.rows) }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ given, update }) => {
          const { rows, predictions, updates } = given
          const engine = await started(rows, updates)
          const moved = predictions.map((prediction, row) => naiveMoved(update, rows, row, prediction))
          expectLosses(await engine.losses(), rows, predictions)
          expectLosses(await engine.evaluate(update), rows, moved)
          await expectPredictions(engine, predictions)
          expectLosses(await engine.apply(update), rows, moved)
          await expectPredictions(engine, moved)
          await engine.reset()
          await expectPredictions(engine, Array.from(rows.start))
          await engine.close()
        }),
      )
    })

    it('gives a sample of its fitting rows that depends on their keys alone, and stays as it was when predictions move', async () => {
      await fc.assert(
        fc.asyncProperty(anyRun, fc.integer({ min: 1, max: 9 }), async (given, rowLimit) => {
          const rows = { ...given.rows, key: keysOf(given.rows) }
          const engine = await started(rows, given.updates)
          if (engine.sample !== undefined) {
            const request = { rowLimit, parts: 3 }
            const sampled = await engine.sample(request)
            const expected = sampleRows(rows, sampleRule(request, rows.rowCount))
            expect(sampledTexts(sampled)).toEqual(sampledTexts(expected))
          }
          await engine.close()
        }),
      )
    })

    it('has a fingerprint that ignores row order, and sees any change of a row', async () => {
      const run = anyRows.chain(rows =>
        fc.record({
          rows: fc.constant(rows),
          order: fc.shuffledSubarray(
            Array.from({ length: rows.rowCount }, (_, row) => row),
            { minLength: rows.rowCount },
          ),
          row: fc.integer({ min: 0, max: rows.rowCount - 1 }),
        }),
      )
      await fc.assert(
        fc.asyncProperty(run, async ({ rows, order, row }) => {
          const fingerprint = async (given: EngineRows) => {
            const engine = await makeEngine(given)
            const answer = await engine.fingerprint()
            await engine.close()
            return answer
          }
          const original = await fingerprint(rows)
          expect(await fingerprint(takeRows(rows, order))).toBe(original)
          fc.pre(naiveWeight(rows, row) > 0)
          const label = Int32Array.from(rows.label)
          label[row] = label[row] === 0 ? ONE : label[row] - 1
          expect(await fingerprint({ ...rows, label })).not.toBe(original)
        }),
      )
    })

    it('counts a weight of two like the row twice', async () => {
      await fc.assert(
        fc.asyncProperty(anyRows, anyLevels, async (rows, levels) => {
          const copies = Array.from({ length: rows.rowCount }, (_, row) =>
            new Array<number>(naiveWeight(rows, row)).fill(row),
          ).flat()
          fc.pre(copies.length > 0)
          const { weight: _, ...unweighted } = takeRows(rows, copies)
          const [one, other] = [await makeEngine(rows), await makeEngine(unweighted)]
          const request = { fold: 0, levels, trees: [ROOT] }
          expect(await one.levelSums(request)).toEqual(await other.levelSums(request))
          expect(await one.fingerprint()).toBe(await other.fingerprint())
          await one.close()
          await other.close()
        }),
      )
    })

    it('refuses questions after it was closed', async () => {
      const [rows] = fc.sample(anyRows, { numRuns: 1, seed: 1 })
      const engine = await makeEngine(rows)
      await engine.close()
      await engine.close()
      const questions = [
        () => engine.histogram({ fold: 0, levels: 1, tree: ROOT, features: [0], resolution: 'fine' }),
        () => engine.levelSums({ fold: 0, levels: 1, trees: [ROOT] }),
        () => engine.losses(),
        () => engine.evaluate({ kind: 'table', tree: ROOT, levels: 1, values: [0] }),
        () => engine.reset(),
        ...(engine.snapshot === undefined ? [] : [engine.snapshot.bind(engine)]),
        ...(engine.sample === undefined ? [] : [() => engine.sample!({ rowLimit: 9, parts: 2 })]),
        () => engine.fingerprint(),
      ]
      for (const ask of questions) {
        const failure = await ask().then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(failure).toBeInstanceOf(FeatureBoostError)
        expect((failure as FeatureBoostError).code).toBe('FB_ENGINE_CLOSED')
      }
    })
  })
}

/** One for each row. */
const keysOf = ({ label }: EngineRows): Int32Array => label.map((_, row) => Math.imul(row + 1, 0x9e3779b1))

/** Where rows can be shown. */
async function expectPredictions(engine: Engine, predictions: readonly number[]): Promise<void> {
  if (engine.snapshot !== undefined) expect(Array.from(await engine.snapshot())).toEqual(predictions)
}

/** Rows of a sample as text, in an order of their own. */
function sampledTexts({ bins, label, part, rowCount, start, weight }: SampledRows): string[] {
  const rows = Array.from({ length: rowCount }, (_, row) => [
    ...bins.map(column => column[row]),
    ...[label[row], start[row], weight?.[row] ?? 1, part[row]],
  ])
  return rows.map(row => row.join()).sort()
}

const joined = (sum: { high: number; low: number }): bigint =>
  BigInt(sum.high) * BigInt(ONE) + BigInt(sum.low)

function expectLosses(losses: readonly FoldLoss[], rows: EngineRows, predictions: readonly number[]): void {
  expect(losses.length).toBe(rows.fold === undefined ? 1 : 2)
  losses.forEach((loss, fold) => {
    let [squares, weight, squaredWeight] = [0n, 0, 0]
    for (let row = 0; row < rows.rowCount; row++) {
      if (naiveFold(rows, row) !== fold) continue
      const residual = BigInt(rows.label[row] - predictions[row])
      weight += naiveWeight(rows, row)
      squaredWeight += naiveWeight(rows, row) ** 2
      squares += BigInt(naiveWeight(rows, row)) * residual * residual
    }
    expect(joined(loss.squares)).toBe(squares)
    expect(loss.weight).toBe(weight)
    expect(loss.squaredWeight).toBe(squaredWeight)
  })
}

export function takeRows(rows: EngineRows, order: readonly number[]): EngineRows {
  const take = <T extends Uint8Array | Int32Array>(column: T): T => {
    const taken = new (column.constructor as new (length: number) => T)(order.length)
    order.forEach((row, index) => {
      taken[index] = column[row]
    })
    return taken
  }
  return {
    ...rows,
    rowCount: order.length,
    bins: rows.bins.map(take),
    signals: rows.signals.map(take),
    label: take(rows.label),
    start: take(rows.start),
    ...(rows.weight && { weight: take(rows.weight) }),
    ...(rows.fold && { fold: take(rows.fold) }),
  }
}
