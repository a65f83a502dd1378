// The options of a monitor, once: types, ranges, defaults and help. Those of a monitor are settled when it is started.

import type { Auditors } from '../classes/auditors.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { number, type OptionSpec } from '../options/options.ts'

export const MONITOR_OPTIONS = {
  delta: number(0, 1, 'The chance of ever raising a false alarm, over all groups and all time, at most.', {
    open: true,
    default: 0.05,
  }),
  maxGap: number(0, 0.5, 'Gaps between outcomes and scores up to this raise no alarm.', { default: 0 }),
  protect: {
    type: 'columns',
    help: 'Columns whose values, and all their overlaps, are watched by name. Default: those that the fit protected.',
  },
  auditors: { type: 'object', help: 'groups(...) to watch by name.' },
  columns: {
    type: 'columns',
    help: 'Columns of which all groups of two conditions are watched. Default: as many columns of the model as 4,096 groups allow.',
  },
  signal: { type: 'object', help: 'An AbortSignal that cancels the work.' },
  onWarning: { type: 'function', help: 'Is told what was left out.' },
} as const satisfies Record<string, OptionSpec>

export const BATCH_OPTIONS = {
  name: { type: 'text', help: 'What the batch is called, such as its day. Default: its number.' },
  again: { type: 'flag', help: 'Count a batch that was recorded before once more.' },
  unlabelled: { type: 'flag', help: 'Outcomes are not known yet: look at scores and columns only.' },
  signal: MONITOR_OPTIONS.signal,
  onWarning: MONITOR_OPTIONS.onWarning,
} as const satisfies Record<string, OptionSpec>

export interface MonitorOptions {
  readonly delta?: number
  readonly maxGap?: number
  readonly protect?: readonly string[]
  readonly auditors?: Auditors
  readonly columns?: readonly string[]
  readonly signal?: CancelSignal
  readonly onWarning?: (sentence: string) => void
}

export interface BatchOptions {
  readonly name?: string
  readonly again?: boolean
  readonly unlabelled?: boolean
  readonly signal?: CancelSignal
  readonly onWarning?: (sentence: string) => void
}
