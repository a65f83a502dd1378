// The reference engine: plain arrays, plain loops, one thread. It is the definition; every other engine is
// tested against it.

import { FeatureBoostError } from '../../common/errors.ts'
import { addProduct, emptySplitSum, levelAmong, levelOf } from '../../common/units.ts'
import { countUnits, sumUnits } from '../../data/foldUnits.ts'
import { makeMover } from '../../update/move.ts'
import { selectLeaves, type Update } from '../../update/update.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import {
  type CellSums,
  type EngineRows,
  type EngineShape,
  FIT,
  type FoldLoss,
  type Histogram,
  type HistogramRequest,
  HOLDOUT,
  type JointHistogramRequest,
  type LevelMoments,
  type LevelSums,
  type LevelSumsRequest,
  type LocalEngine,
  type MomentsRequest,
  type Outcome,
  type RowSource,
} from '../engine.ts'
import { collectRows, isRowSource } from '../engineRows.ts'
import { type ColumnRange, checksumText, fingerprintOf } from '../fingerprint.ts'
import { offsetsOf } from '../offsets.ts'
import { centredLabel, drawnLabel, LABEL, needsKeys, squareWeight, varianceOf } from '../outcome.ts'
import { type SampledRows, type SampleRequest, sampleRows, sampleRule } from '../sample.ts'

export function referenceEngine(rows: EngineRows): LocalEngine
export function referenceEngine(rows: RowSource): Promise<LocalEngine>
export function referenceEngine(rows: EngineRows | RowSource): LocalEngine | Promise<LocalEngine> {
  if (!isRowSource(rows)) return new ReferenceEngine(rows)
  return collectRows(rows).then(collected => new ReferenceEngine(collected))
}

class ReferenceEngine implements LocalEngine {
  readonly name = 'reference'
  readonly shape: EngineShape
  readonly #rows: EngineRows
  #prediction: Int32Array
  #closed = false

  constructor(rows: EngineRows) {
    this.#rows = rows
    this.#prediction = Int32Array.from(rows.start)
    const own = sumUnits(rows.rowCount, rows.weight, rows.fold)
    this.shape = {
      rowCount: rows.rowCount,
      countedRows: countUnits(own),
      ...(rows.observationWeight !== undefined && { observationWeight: rows.observationWeight }),
      units: rows.units ?? own,
      binCounts: rows.binCounts,
      coarseCounts: rows.coarseCounts,
      signalCount: rows.signals.length,
      foldCount: rows.fold === undefined ? 1 : 2,
    }
  }

  async histogram(request: HistogramRequest): Promise<Histogram> {
    const { features, levelCuts, levels, resolution } = request
    const { bins, coarseOf } = this.#rows
    const binCounts = resolution === 'fine' ? this.shape.binCounts : this.shape.coarseCounts
    const { leaves, tree } = selectLeaves(request.tree, request.leaves)
    const { offsets, size } = offsetsOf(features.map(feature => leaves * binCounts[feature] * levels))
    const sums = emptyCells(size)
    const flat = flattenTree(tree, this.shape.binCounts)
    this.#eachRow(request.fold, request.outcome, (row, weight, outcome) => {
      const prediction = this.#prediction[row]
      const leaf = findLeaf(flat, bins, row, prediction)
      if (leaf >= leaves) return
      const level = levelCuts === undefined ? levelOf(prediction, levels) : levelAmong(prediction, levelCuts)
      const residual = this.#residual(row, outcome, request)
      features.forEach((feature, index) => {
        const fine = bins[feature][row]
        const bin = resolution === 'fine' ? fine : coarseOf[feature][fine]
        addToCell(sums, offsets[index] + (leaf * binCounts[feature] + bin) * levels + level, weight, residual)
      })
    })
    return { ...sums, offsets }
  }

  async jointHistogram(request: JointHistogramRequest): Promise<Histogram> {
    const { levelCuts, levels, pairs } = request
    const { bins, coarseOf } = this.#rows
    const { coarseCounts } = this.shape
    const { offsets, size } = offsetsOf(pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b] * levels))
    const sums = emptyCells(size)
    this.#eachRow(request.fold, request.outcome, (row, weight, outcome) => {
      const prediction = this.#prediction[row]
      const level = levelCuts === undefined ? levelOf(prediction, levels) : levelAmong(prediction, levelCuts)
      const residual = this.#residual(row, outcome, request)
      pairs.forEach(([a, b], index) => {
        const binA = coarseOf[a][bins[a][row]]
        const binB = coarseOf[b][bins[b][row]]
        addToCell(sums, offsets[index] + (binA * coarseCounts[b] + binB) * levels + level, weight, residual)
      })
    })
    return { ...sums, offsets }
  }

  async levelSums(request: LevelSumsRequest): Promise<LevelSums[]> {
    const { levels } = request
    return request.trees.map(tree => {
      const flat = flattenTree(tree, this.shape.binCounts)
      const size = flat.leafCount * levels
      const sums = { ...emptyCells(size), predictions: new Float64Array(size) }
      this.#eachRow(request.fold, request.outcome, (row, weight, outcome) => {
        const prediction = this.#prediction[row]
        const level = levelOf(prediction, levels)
        const cell = findLeaf(flat, this.#rows.bins, row, prediction) * levels + level
        addToCell(sums, cell, weight, outcome - this.#predicted(row, level, request.levelValues))
        sums.predictions[cell] += weight * prediction
      })
      return sums
    })
  }

  async moments(request: MomentsRequest): Promise<LevelMoments[]> {
    const { levels } = request
    const signals = request.signals.map(signal => this.#rows.signals[signal])
    const size = signals.length
    const moments = Array.from({ length: levels }, () => ({
      count: 0,
      gram: Array.from({ length: size * size }, emptySplitSum),
      cross: Array.from({ length: size }, emptySplitSum),
    }))
    this.#eachRow(request.fold, LABEL, (row, weight, label) => {
      const level = levelOf(this.#prediction[row], levels)
      const { gram, cross } = moments[level]
      const residual = label - this.#predicted(row, level, request.levelValues)
      moments[level].count += weight
      for (let i = 0; i < size; i++) {
        addProduct(cross[i], signals[i][row], residual, weight)
        for (let j = 0; j < size; j++)
          addProduct(gram[i * size + j], signals[i][row], signals[j][row], weight)
      }
    })
    return moments
  }

  async losses(): Promise<FoldLoss[]> {
    return this.#losses(this.#prediction)
  }

  async evaluate(update: Update): Promise<FoldLoss[]> {
    return this.#losses(this.#moved(update))
  }

  async apply(update: Update): Promise<FoldLoss[]> {
    this.#prediction = this.#moved(update)
    return this.#losses(this.#prediction)
  }

  async reset(): Promise<void> {
    this.#assertOpen()
    this.#prediction = Int32Array.from(this.#rows.start)
  }

  async snapshot(): Promise<Int32Array> {
    this.#assertOpen()
    return Int32Array.from(this.#prediction)
  }

  async sample(request: SampleRequest): Promise<SampledRows> {
    this.#assertOpen()
    return sampleRows(this.#rows, sampleRule(request, this.shape.countedRows))
  }

  async fingerprint(columns?: ColumnRange): Promise<string> {
    this.#assertOpen()
    return checksumText(fingerprintOf(this.#rows, columns))
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #moved(update: Update): Int32Array {
    this.#assertOpen()
    const { bins, signals } = this.#rows
    const move = makeMover(update, this.shape.binCounts)
    return this.#prediction.map((prediction, row) => move(bins, signals, row, prediction))
  }

  #losses(prediction: Int32Array): FoldLoss[] {
    return [FIT, HOLDOUT].slice(0, this.shape.foldCount).map(fold => {
      const squares = emptySplitSum()
      let [total, squaredWeight] = [0, 0]
      this.#eachRow(fold, LABEL, (row, weight, label) => {
        const residual = label - prediction[row]
        total += weight
        squaredWeight += weight * weight
        addProduct(squares, residual, residual, weight)
      })
      return { weight: total, squaredWeight, squares }
    })
  }

  /** What a histogram sums: the outcome against the prediction, with the sign of the level where levels have signs. */
  #residual(
    row: number,
    outcome: number,
    { levels, levelSigns, levelValues }: Pick<HistogramRequest, 'levels' | 'levelSigns' | 'levelValues'>,
  ): number {
    const level = levelOf(this.#prediction[row], levelSigns?.length ?? levels)
    const residual = outcome - this.#predicted(row, level, levelValues)
    return levelSigns === undefined ? residual : levelSigns[level] * residual
  }

  /** The row's own prediction, or the value its level is rounded to. */
  #predicted(row: number, level: number, levelValues: Int32Array | undefined): number {
    return levelValues === undefined ? this.#prediction[row] : levelValues[level]
  }

  #eachRow(
    fold: number,
    outcome: Outcome = LABEL,
    visit: (row: number, weight: number, outcome: number) => void,
  ): void {
    this.#assertOpen()
    const { fold: folds, key, label, rowCount, weight } = this.#rows
    if (outcome.kind !== 'label' && key === undefined) throw needsKeys('noise is drawn')
    for (let row = 0; row < rowCount; row++) {
      if ((folds === undefined ? FIT : folds[row]) !== fold) continue
      const counted = weight === undefined ? 1 : weight[row]
      const prediction = this.#prediction[row]
      if (outcome.kind === 'label') visit(row, counted, label[row])
      else if (outcome.kind === 'drawn') {
        visit(row, counted, drawnLabel(outcome.noise, prediction, key![row], outcome.draw))
      } else if (outcome.kind === 'centred') {
        visit(row, counted, centredLabel(outcome.noise, label[row], prediction))
      } else {
        const variance = varianceOf(outcome.noise, label[row], prediction)
        visit(row, squareWeight(counted, outcome.shift), prediction + variance)
      }
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new FeatureBoostError('FB_ENGINE_CLOSED', 'the engine has been closed.')
  }
}

const emptyCells = (size: number): CellSums => ({
  counts: new Float64Array(size),
  residuals: new Float64Array(size),
})

function addToCell(sums: CellSums, cell: number, weight: number, residual: number): void {
  sums.counts[cell] += weight
  sums.residuals[cell] += weight * residual
}
