// What was counted over worlds and draws: how often something held, by kind of world and by how much the rows can say.

import { KINDS, type Kind } from './world.ts'

/** Where the truth was: inside of what was claimed, or on one side of it. */
export type Outcome = 'held' | 'below' | 'above'

export interface Cell {
  held: number
  /** The truth lay below the interval. */
  below: number
  above: number
  /** The largest number that came with an outcome. */
  most: number
}

/** Lower ends of classes of expected events (the sum of p (1 - p) over the rows). */
export const EVENTS = [0, 5, 10, 20, 50, 100] as const

/** Fewer events than this are the known exception: normal intervals of skewed sums hold too seldom there. */
export const FEW_EVENTS = 20

export interface Place {
  readonly kind: Kind
  readonly events: number
}

export interface Key {
  readonly name: string
  readonly kind: Kind
  /** One of EVENTS. */
  readonly events: number
}

export class Tally {
  readonly cells: Record<string, Cell>

  constructor(cells: Record<string, Cell> = {}) {
    this.cells = cells
  }

  add(name: string, { kind, events }: Place, outcome: Outcome, most = 0): void {
    const cell = this.#cell([name, KINDS.indexOf(kind), EVENTS.findLast(least => events >= least)].join('|'))
    cell[outcome]++
    cell.most = Math.max(cell.most, most)
  }

  /** The names counted, in the order in which they came. */
  names(): string[] {
    return [...new Set(Object.keys(this.cells).map(key => readKey(key).name))]
  }

  /** All cells of which the filter says yes, together. */
  sum(wanted: (key: Key) => boolean): Cell {
    const sum = emptyCell()
    for (const [key, cell] of Object.entries(this.cells)) if (wanted(readKey(key))) addCell(sum, cell)
    return sum
  }

  merge(other: Tally): void {
    for (const [key, cell] of Object.entries(other.cells)) addCell(this.#cell(key), cell)
  }

  #cell(key: string): Cell {
    this.cells[key] ??= emptyCell()
    return this.cells[key]
  }
}

function readKey(key: string): Key {
  const [name, kind, events] = key.split('|')
  return { name, kind: KINDS[Number(kind)], events: Number(events) }
}

const emptyCell = (): Cell => ({ held: 0, below: 0, above: 0, most: 0 })

function addCell(into: Cell, cell: Cell): void {
  into.held += cell.held
  into.below += cell.below
  into.above += cell.above
  into.most = Math.max(into.most, cell.most)
}

export const totalOf = ({ held, below, above }: Cell): number => held + below + above

export const shareOf = (cell: Cell): number => cell.held / totalOf(cell)

/** The standard error of a share of so many independent draws. */
export const binomialError = (share: number, total: number): number =>
  Math.sqrt((share * (1 - share)) / total)

/** Wilson's interval at 95 %. */
export function wilson(count: number, total: number): { low: number; high: number } {
  const square = 1.96 ** 2 / total
  const share = count / total
  const center = (share + square / 2) / (1 + square)
  const reach = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
  return { low: Math.max(0, center - reach), high: Math.min(1, center + reach) }
}

/** The truth may be known to seven digits only. */
const ROUNDING = 1e-7

export function outcomeOf({ low, high }: { low: number; high: number }, truth: number): Outcome {
  if (truth < low - ROUNDING) return 'below'
  return truth > high + ROUNDING ? 'above' : 'held'
}
