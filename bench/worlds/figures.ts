// From counts to figures, each with what it must reach.

import { LEVELS } from './coverage.ts'
import {
  binomialError,
  type Cell,
  EVENTS,
  FEW_EVENTS,
  type Key,
  shareOf,
  type Tally,
  totalOf,
  wilson,
} from './tally.ts'
import { KINDS } from './world.ts'

/** Standard errors that chance may take from a share before it counts as missed. */
const ALLOWED = 3

export interface Share {
  readonly total: number
  readonly share: number
}

export interface CertificateFigure {
  readonly name: string
  readonly kind: string
  readonly draws: number
  readonly falseOnes: number
  /** Of the rate, at 95 %. */
  readonly interval: { readonly low: number; readonly high: number }
  /** How often the truth exceeds what was measured: what would be false without a slack. */
  readonly withoutSlack: number
  /** The largest part of the slack that the truth took up; 0 if it never exceeded what was measured. */
  readonly slackUsed: number
  readonly reached: boolean
}

export function certificateFigures(tally: Tally, failure: number): CertificateFigure[] {
  const names = tally.names().filter(name => !name.startsWith('measured'))
  return names.flatMap(name =>
    ['all', ...KINDS].flatMap(kind => {
      const of = (wanted: string) => tally.sum(key => key.name === wanted && isOf(key, kind))
      const cell = of(name)
      const draws = totalOf(cell)
      if (draws === 0) return []
      const interval = wilson(cell.above, draws)
      const withoutSlack = 1 - shareOf(of(`measured ${name}`))
      const reached = cell.above / draws <= failure
      return [
        { name, kind, draws, falseOnes: cell.above, interval, withoutSlack, slackUsed: cell.most, reached },
      ]
    }),
  )
}

const isOf = (key: Key, kind: string): boolean => kind === 'all' || key.kind === kind

export interface CoverageFigure {
  readonly name: string
  /** With enough events: over all, and by kind of world. */
  readonly enough: Share
  readonly kinds: Readonly<Record<string, Share>>
  /** The known exception. */
  readonly few: Share
  readonly byEvents: readonly Share[]
  /** Shares of all draws with the truth on either side of the interval. */
  readonly truthBelow: number
  readonly truthAbove: number
  /** What the share must reach. */
  readonly least: number
  /** "all" or kinds where it is less than chance allows. */
  readonly missed: readonly string[]
}

export function coverageFigures(tally: Tally, confidence: number): CoverageFigure[] {
  return tally.names().map(name => {
    const of = (wanted: (key: Key) => boolean) => tally.sum(key => key.name === name && wanted(key))
    const enough = of(isEnough)
    const kinds = KINDS.map(kind => [kind, of(key => isEnough(key) && key.kind === kind)] as const)
    const all = of(() => true)
    return {
      name,
      enough: share(enough),
      kinds: Object.fromEntries(kinds.map(([kind, cell]) => [kind, share(cell)])),
      few: share(of(key => !isEnough(key))),
      byEvents: EVENTS.map(events => share(of(key => key.events === events))),
      truthBelow: all.below / totalOf(all),
      truthAbove: all.above / totalOf(all),
      least: leastShare(confidence, totalOf(enough)),
      missed: [['all', enough] as const, ...kinds].flatMap(([kind, cell]) =>
        shareOf(cell) < leastShare(confidence, totalOf(cell)) ? [kind] : [],
      ),
    }
  })
}

const isEnough = (key: Key): boolean => key.events >= FEW_EVENTS

const share = (cell: Cell): Share => ({ total: totalOf(cell), share: shareOf(cell) })

export const leastShare = (confidence: number, total: number): number =>
  confidence - ALLOWED * binomialError(confidence, total)

export interface UniformFigure {
  readonly name: string
  readonly draws: number
  /** Shares of p-values up to each of LEVELS. */
  readonly shares: readonly number[]
  /** Levels that more p-values stay below than chance allows: anticonservative. */
  readonly tooMany: readonly number[]
  /** Levels that fewer do: conservative. */
  readonly tooFew: readonly number[]
}

export function uniformFigures(tally: Tally): UniformFigure[] {
  const names = [...new Set(tally.names().map(name => name.split('@')[0]))]
  return names.flatMap(name =>
    [true, false].flatMap(enough => {
      const cells = LEVELS.map(level =>
        tally.sum(key => key.name === `${name}@${level}` && isEnough(key) === enough),
      )
      const draws = totalOf(cells[0])
      if (draws === 0) return []
      const shares = cells.map(cell => cell.below / draws)
      const off = LEVELS.map((level, index) => (shares[index] - level) / binomialError(level, draws))
      return [
        {
          name: enough ? name : `${name}, few events`,
          draws,
          shares,
          tooMany: LEVELS.filter((_, index) => off[index] > ALLOWED),
          tooFew: LEVELS.filter((_, index) => off[index] < -ALLOWED),
        },
      ]
    }),
  )
}
