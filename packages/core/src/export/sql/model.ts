// A model as one SELECT: values become bins, updates move the prediction one after the other, each in SELECTs of its own. They hold what
// is still needed, so that databases neither plan nor carry more. A forest is added up a few trees at a time.

import { FeatureBoostError } from '../../common/errors.ts'
import { showValue } from '../../data/column.ts'
import { binCount } from '../../quantize/schema.ts'
import { featureSplits, treesOf } from '../../update/visit.ts'
import type { ScoringPlan } from '../plan.ts'
import { encodedLayers, valuesOf } from './columns.ts'
import { type DialectName, WAREHOUSES, type Warehouse } from './dialects.ts'
import { layersOf } from './moves.ts'
import { type Columns, cast, columnList, levelSql, ONE_SQL } from './select.ts'

export interface SqlNames {
  readonly table: string
  readonly as: string
  readonly view?: string
  /** The columns that stay beside the prediction; all of them where it is absent. */
  readonly key?: readonly string[]
}

const SOURCE = 'fb_source'
const ROW = 'fb_row'

export function sqlSelect(plan: ScoringPlan, dialect: DialectName, names: SqlNames): string {
  const warehouse = WAREHOUSES[dialect]
  const binCounts = plan.features.map(binCount)
  const carried = carriedColumns(warehouse, names)
  const steps = new Steps(warehouse, `${names.table} AS ${SOURCE}`, Object.keys(carried))
  steps.add({ ...carried, ...valuesOf(warehouse, plan, SOURCE) }, [])
  const encoded = encodedLayers(warehouse, plan)
  for (const layer of encoded.slice(0, -1)) steps.add(layer, 'all')
  const { bins, signals } = neededFrom(plan)
  steps.add(encoded[encoded.length - 1], ['ok', 'p'])
  plan.updates.forEach((update, index) => {
    const layers = layersOf(warehouse, update, binCounts)
    for (const layer of layers.slice(0, -1)) steps.add(layer, 'all')
    const { q } = layers[layers.length - 1]
    steps.add({ p: q }, ['ok', ...bins[index + 1], ...signals[index + 1]])
  })
  const result = `${resultSql(warehouse, plan)} AS ${warehouse.name(names.as)}`
  const text = steps.text(`${keptColumns(warehouse, names)}, ${result}`)
  const view = names.view === undefined ? '' : `CREATE OR REPLACE VIEW ${names.view} AS\n`
  return `-- Written by featureboost from the model ${plan.hash}, for ${dialect}. Do not edit: export the model again.\n${view}${text};\n`
}

/** SELECTs, one after the other. */
class Steps {
  readonly #warehouse: Warehouse
  readonly #always: readonly string[]
  readonly #named: string[] = []
  #from: string
  #columns: string[] = []

  constructor(warehouse: Warehouse, from: string, always: readonly string[]) {
    this.#warehouse = warehouse
    this.#from = from
    this.#always = always
  }

  /** With these columns, and of those before them the ones that are carried along and the ones to keep. */
  add(columns: Columns, keep: readonly string[] | 'all'): void {
    if (Object.keys(columns).length === 0) return
    const before = this.#columns.filter(
      name => !(name in columns) && (keep === 'all' || keep.includes(name) || this.#always.includes(name)),
    )
    const list = [...before, columnList(columns)].join(', ')
    const name = `fb_${this.#named.length + 1}`
    this.#named.push(`${name} AS (SELECT ${list} FROM ${this.#from}${this.#warehouse.fence})`)
    this.#columns = [...before, ...Object.keys(columns)]
    this.#from = name
  }

  /** The whole, with these columns. */
  text(list: string): string {
    const { mostSelects = Number.POSITIVE_INFINITY } = this.#warehouse
    if (this.#named.length > mostSelects) throw tooMany(this.#named.length, mostSelects)
    return `WITH ${this.#named.join(',\n')}\nSELECT ${list}\nFROM ${this.#from}`
  }
}

const tooMany = (selects: number, most: number): FeatureBoostError =>
  new FeatureBoostError(
    'FB_EXPORT',
    `the model has so many updates that Spark would not plan them: ${selects} SELECTs, one upon the other.`,
    {
      found: selects,
      expected: `at most ${most}`,
      hint: 'Export it to Python, and score with that in a function of your own; or fit with a lower roundLimit.',
    },
  )

/** Of each update, and of those after it, the bins and signals that they look at. */
function neededFrom({ updates }: ScoringPlan): { bins: string[][]; signals: string[][] } {
  const bins = new Set<number>()
  const signals = new Set<number>()
  const needed = { bins: [[] as string[]], signals: [[] as string[]] }
  for (const update of [...updates].reverse()) {
    for (const { feature } of treesOf(update).flatMap(featureSplits)) bins.add(feature)
    if (update.kind === 'linear') for (const signal of update.signals) signals.add(signal)
    needed.bins.unshift(Array.from(bins, feature => `f${feature}`))
    needed.signals.unshift(Array.from(signals, signal => `s${signal}`))
  }
  return needed
}

function carriedColumns(warehouse: Warehouse, { key }: SqlNames): Columns {
  if (key === undefined) return { [ROW]: warehouse.wholeRow!.pack(SOURCE) }
  return Object.fromEntries(key.map((column, index) => [`k${index}`, `${SOURCE}.${warehouse.name(column)}`]))
}

const keptColumns = (warehouse: Warehouse, { key }: SqlNames): string =>
  key === undefined
    ? warehouse.wholeRow!.unpack(ROW)
    : key.map((column, index) => `k${index} AS ${warehouse.name(column)}`).join(', ')

function resultSql(warehouse: Warehouse, { rounding }: ScoringPlan): string {
  const units =
    rounding === undefined ? 'p' : warehouse.lookUp(rounding.values, levelSql(warehouse, rounding.bins))
  return `CASE WHEN ok = 1 THEN ${cast(units, warehouse.doubleType)} / ${ONE_SQL} END`
}

const PART = '(?:[\\p{L}_][\\p{L}\\p{N}_$]*|"(?:[^"]|"")+"|`[^`]+`)'
const TABLE_NAME = new RegExp(String.raw`^${PART}(?:\.${PART})*$`, 'u')

/** Names of tables go into the text as they are given, so they are names and nothing else. */
export function checkSqlNames({ as, key, table, view }: SqlNames, dialect: DialectName): void {
  for (const [option, name] of Object.entries({ table, view })) {
    if (name === undefined || (typeof name === 'string' && TABLE_NAME.test(name))) continue
    throw new FeatureBoostError('FB_OPTION_VALUE', `option "${option}" is ${showValue(name)}.`, {
      found: name,
      expected: 'the name of a table or view, such as loans, bank.loans or "Loans of May"',
    })
  }
  const columns = key ?? []
  for (const [option, name] of [['as', as], ...columns.map(column => ['key', column])]) {
    if (typeof name === 'string' && name.trim() !== '' && !name.includes('\0')) continue
    throw new FeatureBoostError('FB_OPTION_VALUE', `option "${option}" holds ${showValue(name)}.`, {
      found: name,
      expected: 'the name of a column',
    })
  }
  if (key === undefined && WAREHOUSES[dialect].wholeRow === undefined)
    throw new FeatureBoostError('FB_COMBINATION', `for ${dialect}, columns are kept by name only.`, {
      expected: 'with "key" the columns that are to stand beside the score',
      hint: 'With the command line: --key id.',
    })
}
