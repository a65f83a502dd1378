// An engine whose rows are in a database. Questions become SQL, one statement each however many features, pairs or trees are asked
// for, and only sums come back. Rows are never changed: predictions are kept in tables of their own, one for each state.

import type { Engine } from '@featureboost/core'
import {
  addColumns,
  type ColumnRange,
  type Columns,
  cast,
  type EngineShape,
  type FoldLoss,
  type Histogram,
  type HistogramRequest,
  type JointHistogramRequest,
  type LevelMoments,
  type LevelSums,
  type LevelSumsRequest,
  leafCount,
  levelAmongSql,
  levelSql,
  type MomentsRequest,
  makeBinScorer,
  movedSql,
  ONE,
  type Outcome,
  offsetsOf,
  type RowsShape,
  type SampledRows,
  type SampleRequest,
  selectLeaves,
  treeSql,
  type Update,
} from '@featureboost/core/internal'
import { type Asked, SqlAsker } from './asker.ts'
import { type Cube, type CubeQuestion, Cubes } from './cubes.ts'
import { type CellGroup, type CellKey, type Dialect, ROWS } from './dialect.ts'
import type { NumberKind, SqlDriver } from './driver.ts'
import { fingerprintSql, fingerprintText, scanFingerprint } from './fingerprint.ts'
import type { LabelSums } from './labelSums.ts'
import { Ladders, RUNGS } from './ladders.ts'
import { hasManyTrees, moveByParts } from './manyTrees.ts'
import { momentsOf, momentValues } from './moments.ts'
import { type CountedRows, countedRows } from './outcomes.ts'
import { readSample } from './sample.ts'
import type { SqlStates } from './states.ts'

/** Rows of small integers in a table: f0.. (fine bins), g0.. (coarse bins, where they are others), s0.. (signals), y, start, w, fold, key. */
export interface SqlRows extends Pick<RowsShape, 'weighted' | 'folded' | 'coarseOf'> {
  readonly shape: EngineShape
  readonly keyed: boolean
  readonly states: SqlStates
}

/** So many are as quick in SQL. */
const FEW_TREES = 4

const LABEL: Outcome = { kind: 'label' }

type Residual = Pick<HistogramRequest, 'levels' | 'levelCuts' | 'levelSigns' | 'levelValues' | 'outcome'>

export class SqlEngine implements Engine {
  readonly name: string
  readonly shape: EngineShape
  readonly #driver: SqlDriver
  readonly #dialect: Dialect
  readonly #rows: SqlRows
  readonly #asker: SqlAsker
  readonly #cubes: Cubes
  readonly #ladders: Ladders
  #losses: Promise<FoldLoss[]> | undefined

  constructor(driver: SqlDriver, rows: SqlRows, onAsked?: (asked: Asked) => void) {
    this.name = driver.dialect.name
    this.shape = rows.shape
    this.#driver = driver
    this.#dialect = driver.dialect
    this.#rows = rows
    this.#asker = new SqlAsker(driver, rows.states.prefix, onAsked)
    this.#cubes = new Cubes(rows.shape.coarseCounts, (question, pairs) => this.#countCube(question, pairs))
    this.#ladders = new Ladders(fold => this.#countLadder(fold))
  }

  async histogram(request: HistogramRequest): Promise<Histogram> {
    this.#asker.assertOpen()
    const isOfAll = request.resolution === 'coarse' && 'leaf' in request.tree && request.leaves?.length !== 0
    return await ((isOfAll && this.#cubes.answerSingles(request)) || this.#countSingles(request))
  }

  async #countSingles(request: HistogramRequest): Promise<Histogram> {
    const { features, levels, resolution } = request
    const { binCounts, coarseCounts } = this.shape
    const counts = resolution === 'fine' ? binCounts : coarseCounts
    const { leaves, tree } = selectLeaves(request.tree, request.leaves)
    const { offsets, size } = offsetsOf(features.map(feature => leaves * counts[feature] * levels))
    const groups = features.map((feature, index) => ({
      offset: offsets[index],
      keys: [
        { column: 'leaf', size: leaves },
        { column: resolution === 'fine' ? `f${feature}` : this.#coarse(feature), size: counts[feature] },
        { column: 'l', size: levels },
      ],
    }))
    const isLeaf = leafCount(tree) > leaves ? `leaf < ${leaves}` : undefined
    const sums = await this.#sums('histogram', request, groups, size, {
      leaf: treeSql(tree, binCounts),
      where: leaves === 0 ? '1 = 0' : isLeaf,
    })
    return { counts: sums[0], residuals: sums[1], offsets }
  }

  async jointHistogram(request: JointHistogramRequest): Promise<Histogram> {
    this.#asker.assertOpen()
    return await (this.#cubes.answer(request) ?? this.#countPairs(request))
  }

  async #countPairs(request: JointHistogramRequest): Promise<Histogram> {
    const { groups, offsets, size } = this.#pairGroups(request.pairs, request.levels)
    const sums = await this.#sums('jointHistogram', request, groups, size)
    return { counts: sums[0], residuals: sums[1], offsets }
  }

  /** The cells of some pairs, one pair after the other. */
  #pairGroups(pairs: JointHistogramRequest['pairs'], levels: number) {
    const { coarseCounts } = this.shape
    const { offsets, size } = offsetsOf(pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b] * levels))
    const groups = pairs.map(([a, b], index) => ({
      offset: offsets[index],
      keys: [
        { column: this.#coarse(a), size: coarseCounts[a] },
        { column: this.#coarse(b), size: coarseCounts[b] },
        { column: 'l', size: levels },
      ],
    }))
    return { groups, offsets, size }
  }

  /** All pairs of features. */
  async #countCube(question: CubeQuestion, pairs: JointHistogramRequest['pairs']): Promise<Cube> {
    const { levels } = question
    const { groups, size } = this.#pairGroups(pairs, levels)
    const columns = this.shape.coarseCounts.map((_, feature) => this.#coarse(feature))
    return { levels, ...(await this.#labelSums('jointHistogram', question, columns, groups, size)) }
  }

  /** All rows, by narrow levels. */
  async #countLadder(fold: number): Promise<LabelSums> {
    const groups = [{ offset: 0, keys: [{ column: 'l', size: RUNGS }] }]
    return await this.#labelSums('levelSums', { fold, levels: RUNGS }, [], groups, RUNGS)
  }

  async #labelSums(
    asked: string,
    { fold, levelCuts, levels }: CubeQuestion,
    keys: readonly string[],
    groups: readonly CellGroup[],
    size: number,
  ): Promise<LabelSums> {
    const dialect = this.#dialect
    const weight = this.#rows.weighted ? 'cw' : undefined
    const level = levelCuts === undefined ? levelSql(dialect, levels) : levelAmongSql(levelCuts)
    const times = (value: string) => (weight === undefined ? value : `${weight} * ${value}`)
    const columns = [
      ...keys,
      `${cast(level, dialect.wordType)} AS l`,
      ...(weight === undefined ? [] : [weight]),
      `${times('y')} AS wy`,
      `${times('p')} AS wp`,
    ]
    const rows = () => `SELECT ${columns.join(', ')} FROM (${this.#counted(fold, LABEL).source})`
    const sums = [weight ?? ROWS, 'wy', 'wp']
    const [weights, labels, predictions] = await this.#cells(asked, rows, groups, size, sums)
    return { weights, labels, predictions }
  }

  async levelSums(request: LevelSumsRequest): Promise<LevelSums[]> {
    this.#asker.assertOpen()
    return (await this.#ladders.answer(request)) ?? (await this.#countLevels(request))
  }

  async #countLevels(request: LevelSumsRequest): Promise<LevelSums[]> {
    const { levels, trees } = request
    const sizes = trees.map(tree => leafCount(tree) * levels)
    const { offsets, size } = offsetsOf(sizes)
    const { binCounts } = this.shape
    const leaves = Object.fromEntries(
      trees.map((tree, index) => [`leaf${index}`, cast(treeSql(tree, binCounts), this.#dialect.wordType)]),
    )
    const groups = trees.map((tree, index) => ({
      offset: offsets[index],
      keys: [
        { column: `leaf${index}`, size: leafCount(tree) },
        { column: 'l', size: levels },
      ],
    }))
    const sums = await this.#sums('levelSums', request, groups, size, { leaves, predictions: true })
    return trees.map((_, index) => {
      const [counts, residuals, predictions] = sums.map(sum =>
        sum.slice(offsets[index], offsets[index] + sizes[index]),
      )
      return { counts, residuals, predictions }
    })
  }

  async moments(request: MomentsRequest): Promise<LevelMoments[]> {
    const { levels, signals } = request
    const weight = this.#rows.weighted ? 'cw' : undefined
    const values = momentValues(this.#dialect, signals, weight)
    const rows = () =>
      addColumns(this.#counted(request.fold, LABEL).source, ...this.#residualLayers(request), values)
    const names = [weight ?? ROWS, ...Object.keys(values)]
    const groups = [{ offset: 0, keys: [{ column: 'l', size: levels }] }]
    return momentsOf(await this.#cells('moments', rows, groups, levels, names), levels, signals.length)
  }

  losses(): Promise<FoldLoss[]> {
    this.#losses ??= this.#lossesOf('losses', () => addColumns(this.#current(), { q: 'p' }))
    return this.#losses
  }

  evaluate(update: Update): Promise<FoldLoss[]> {
    return this.#lossesOf('evaluate', () => this.#moved(update))
  }

  async apply(update: Update): Promise<FoldLoss[]> {
    this.#losses = undefined
    this.#cubes.forget()
    this.#ladders.forget()
    await this.#asker.inTurn('apply', () => this.#move(update))
    return await this.losses()
  }

  async reset(): Promise<void> {
    this.#losses = undefined
    this.#cubes.forget()
    this.#ladders.forget()
    await this.#asker.inTurn('reset', async () => await this.#rows.states.reset())
  }

  async sample(request: SampleRequest): Promise<SampledRows> {
    return await this.#asker.inTurn('sample', count => {
      const { folded, keyed, shape, states, weighted } = this.#rows
      return readSample(this.#driver, { table: states.rows, folded, keyed, weighted, shape }, request, count)
    })
  }

  async fingerprint(columns?: ColumnRange): Promise<string> {
    const { folded, shape, states, weighted } = this.#rows
    const { binCounts, signalCount } = shape
    const all = { features: [0, binCounts.length], signals: [0, signalCount] } as const
    const rows = { table: states.rows, binCounts, folded, weighted }
    if (this.#driver.scan !== undefined)
      return await this.#asker.inTurn('fingerprint', () =>
        scanFingerprint(this.#driver, rows, columns ?? all),
      )
    const sums = await this.#asker.inTurn('fingerprint', async count => {
      const statements = fingerprintSql(this.#dialect, rows, columns ?? all, this.#asker.freeName())
      return await this.#asker.sumsOf(statements, 1, 4, count)
    })
    return fingerprintText(sums.map(sum => sum[0]))
  }

  async close(): Promise<void> {
    if (!(await this.#asker.close())) return
    await this.#rows.states.close()
    await this.#driver.close()
  }

  /** Many trees are walked in this process where the database is in it, too: several times faster than as SQL. */
  async #move(update: Update): Promise<void> {
    const { states } = this.#rows
    const { transform } = this.#driver
    const { binCounts } = this.shape
    const isForest = update.kind === 'forest' && update.trees.length > FEW_TREES
    if (this.#dialect.states === 'whole' && hasManyTrees(update)) {
      const { columns, prefix } = states
      const rows = { source: this.#current(), columns, binCounts, prefix }
      return await moveByParts(this.#driver, rows, update, moved => states.keep(moved))
    }
    if (transform === undefined || this.#dialect.states === 'whole' || !isForest)
      return await states.keep(this.#moved(update))
    const score = makeBinScorer([update], binCounts, 0)
    const columns = [...binCounts.map((_, feature) => `f${feature}`), 'p']
    const kinds = columns.map((_, index): NumberKind => (index < binCounts.length ? 'byte' : 'word'))
    const select = `SELECT ${columns.join(', ')} FROM ${states.current}`
    await states.write(table =>
      transform(table, 'p', select, kinds, values =>
        score(values.slice(0, -1) as Uint8Array[], [], values[values.length - 1] as Int32Array),
      ),
    )
  }

  /** Rows with their present predictions. */
  #current(): string {
    return `SELECT * FROM ${this.#rows.states.current}`
  }

  #moved(update: Update): string {
    return movedSql(this.#dialect, this.#current(), update, this.shape.binCounts)
  }

  /** The coarse bins of a feature: its fine ones, where these are the same. */
  #coarse(feature: number): string {
    return hasOwnCoarse(this.#rows.coarseOf[feature]) ? `g${feature}` : `f${feature}`
  }

  #counted(fold: number, outcome: Outcome): CountedRows {
    const { folded, keyed, weighted } = this.#rows
    const where = folded ? ` WHERE fold = ${fold}` : fold === 0 ? '' : ' WHERE 1 = 0'
    return countedRows(this.#dialect, `${this.#current()}${where}`, outcome, { keyed, weighted })
  }

  /** The level `l`, and `r`, what is summed: the outcome against the prediction, with the sign of the level where levels have signs. */
  #residualLayers({ levelCuts, levels, levelSigns, levelValues }: Residual): Columns[] {
    const dialect = this.#dialect
    const level = levelCuts === undefined ? levelSql(dialect, levels) : levelAmongSql(levelCuts)
    const finer = levelSigns?.length ?? (levelCuts === undefined ? undefined : levels)
    const own: Columns = finer === undefined ? {} : { lo: levelSql(dialect, finer) }
    const place = finer === undefined ? 'l' : 'lo'
    const predicted = levelValues === undefined ? 'p' : dialect.lookUp(levelValues, place)
    const residual = `(o - ${predicted})`
    return [
      { l: cast(level, dialect.wordType), ...own },
      { r: levelSigns === undefined ? residual : `${dialect.lookUp(levelSigns, place)} * ${residual}` },
    ]
  }

  /** Counts and residual sums, and sums of predictions where asked for, of all groups. */
  async #sums(
    question: string,
    request: Residual & { readonly fold: number },
    groups: readonly CellGroup[],
    size: number,
    {
      leaf,
      leaves = {},
      predictions = false,
      where,
    }: {
      readonly leaf?: string
      readonly leaves?: Columns
      readonly predictions?: boolean
      readonly where?: string | undefined
    } = {},
  ): Promise<Float64Array[]> {
    const dialect = this.#dialect
    const outcome = request.outcome ?? LABEL
    const weight = this.#rows.weighted || outcome.kind === 'variance' ? 'cw' : undefined
    const times = (value: string) => (weight === undefined ? value : `${weight} * ${value}`)
    const keys = new Map(
      groups.flatMap(group => group.keys).map((key): [string, CellKey] => [key.column, key]),
    )
    const long = dialect.longType
    const columns = [
      ...keys.keys(),
      ...(weight === undefined ? [] : [weight]),
      `${cast(times('r'), long)} AS wr`,
      ...(predictions ? [`${cast(times('p'), long)} AS wp`] : []),
    ]
    const layers = () =>
      addColumns(this.#counted(request.fold, outcome).source, ...this.#residualLayers(request), {
        ...leaves,
        ...(leaf !== undefined && { leaf: cast(leaf, dialect.wordType) }),
      })
    const rows = () =>
      `SELECT ${columns.join(', ')} FROM (${layers()})${where === undefined ? '' : ` WHERE ${where}`}`
    return await this.#cells(question, rows, groups, size, [
      weight ?? ROWS,
      'wr',
      ...(predictions ? ['wp'] : []),
    ])
  }

  async #lossesOf(question: string, moved: () => string): Promise<FoldLoss[]> {
    const { folded, weighted } = this.#rows
    const dialect = this.#dialect
    const long = (sql: string) => cast(sql, dialect.longType)
    const times = (value: string) => (weighted ? `w * ${value}` : value)
    const groups = [{ offset: 0, keys: [{ column: 'side', size: 2 }] }]
    const sums = ['w1', 'w2', 'high', 'low']
    const found = await this.#asker.inTurn(question, async count => {
      const source = addColumns(
        moved(),
        { rr: `${long('y - q')} * (y - q)` },
        { rh: dialect.shiftRight('rr', 24) },
        {
          side: folded ? 'fold' : cast(0, dialect.wordType),
          w1: long(weighted ? 'w' : '1'),
          w2: weighted ? `${long('w')} * w` : long('1'),
          high: times('rh'),
          low: times(`(rr - rh * ${ONE})`),
        },
      )
      return await this.#asker.sumsOf(
        dialect.cells({ source, groups, sums }, this.#asker.freeName()),
        2,
        sums.length,
        count,
      )
    })
    return Array.from({ length: this.shape.foldCount }, (_, fold) => ({
      weight: found[0][fold],
      squaredWeight: found[1][fold],
      squares: { high: found[2][fold], low: found[3][fold] },
    }))
  }

  async #cells(
    question: string,
    source: () => string,
    groups: readonly CellGroup[],
    size: number,
    sums: readonly string[],
  ): Promise<Float64Array[]> {
    this.#asker.assertOpen()
    if (groups.length === 0) return sums.map(() => new Float64Array(size))
    // Where predictions stand is known when it is this question's turn.
    return await this.#asker.inTurn(question, count => {
      const asked = { source: source(), groups, sums, rowCount: this.shape.rowCount }
      return this.#asker.sumsOf(this.#dialect.cells(asked, this.#asker.freeName()), size, sums.length, count)
    })
  }
}

/** Are coarse bins others than the fine ones? */
export const hasOwnCoarse = (coarseOf: Uint8Array): boolean => coarseOf.some((coarse, bin) => coarse !== bin)
