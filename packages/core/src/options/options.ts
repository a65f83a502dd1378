// Options, once: type, default, range and help. Checks (check.ts), command line flags and docs/options.md are derived from here.

import { BASELINE_NAMES, type BaselineName, baselinesThatRead } from '../baselines/baselines.ts'
import { FACTOR_KINDS } from '../classes/factors.ts'
import { COPIES } from '../data/copies.ts'
import { SCORE_SCALES } from '../data/scoreScale.ts'

interface Described {
  readonly help: string
  /** Methods that read it; with another one it is refused. Absent: all. */
  readonly methods?: readonly Method[]
  readonly defaultWords?: string
}

export type OptionSpec = Described &
  (
    | {
        readonly type: 'number' | 'integer'
        readonly min: number
        readonly max: number
        /** Are the ends of the range allowed? Default: yes. */
        readonly open?: boolean
        readonly default?: number
      }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
    | { readonly type: 'choices'; readonly choices: readonly string[] }
    | { readonly type: 'column'; readonly required?: boolean }
    | { readonly type: 'columns' | 'text' | 'flag' | 'object' | 'function' }
  )

interface Rest {
  readonly open?: boolean
  readonly default?: number
  readonly defaultWords?: string
  readonly methods?: readonly Method[]
}

export const number = <const R extends Rest>(min: number, max: number, help: string, rest: R) =>
  ({ type: 'number', min, max, help, ...rest }) as const

export const integer = <const R extends Rest>(min: number, max: number, help: string, rest: R) =>
  ({ type: 'integer', min, max, help, ...rest }) as const

export type Method = 'forest-rounds' | 'forest' | 'rounds' | BaselineName

/** All methods of a fit. */
export const METHODS: readonly Method[] = ['forest-rounds', 'forest', 'rounds', ...BASELINE_NAMES]

/** Do forests grow? */
export const growsForests = (method: Method): boolean => method === 'forest' || method === 'forest-rounds'

/** From a single number to rounds of many trees each: of methods that are equally good, the first of these is named first. */
export const SIMPLEST_FIRST: readonly string[] = [
  ...['temperature', 'platt', 'isotonic', 'histogram', 'platt-features', 'hkrr', 'multiaccuracy-boost'],
  ...[
    'calibrated-multiaccuracy',
    'low-degree',
    'hjz',
    'lsboost',
    'rounds',
    'jin',
    'forest',
    'forest-rounds',
    'mcgrad',
  ],
]

const ROUNDS: readonly Method[] = ['rounds']
const FORESTS: readonly Method[] = ['forest-rounds', 'forest']

export const OPTIONS = {
  label: { type: 'column', required: true, help: 'The outcome, 0 to 1 (often 0 or 1).' },
  prediction: {
    type: 'column',
    help: 'The score to correct, 0 to 1. Without it, boosting starts from the base rate.',
  },
  weight: {
    type: 'column',
    help: 'How much each row counts, 0 or more. A weight of 2 equals the row twice.',
  },
  positive: {
    type: 'text',
    help: 'The value of the label that counts as 1, such as good; every other value counts as 0.',
  },
  scoreScale: {
    type: 'choice',
    choices: SCORE_SCALES,
    default: 'probability',
    help: 'How the score is written: as a probability, as a percentage, or as log odds.',
  },
  categorical: {
    type: 'columns',
    help: 'Columns whose numbers are names, such as postal codes: each number is a category.',
  },
  dropMissingLabels: { type: 'flag', help: 'Leave out rows without a label, and say how many there were.' },
  fold: { type: 'column', help: 'A column that says "fit" or "holdout" for every row.' },
  groupBy: {
    type: 'column',
    help: 'Ids of units, such as persons: rows with the same id are held out together. Not for groups such as women and men. Not a feature unless listed as one.',
  },
  copies: {
    type: 'choice',
    choices: COPIES,
    default: 'one',
    help: 'How to treat rows that agree in every column with a role except the weight: as one observation that weighs as much as all of them together, or as independent ones, such as different people who are alike.',
  },
  features: {
    type: 'columns',
    help: 'Columns that auditors may look at. Default: all without another role.',
  },
  except: { type: 'columns', help: 'Columns that auditors may not look at, such as ids.' },
  protect: {
    type: 'columns',
    help: 'Columns whose values, and all their overlaps, are groups that the certificate and audits report by name. What is learned does not change.',
  },
  method: {
    type: 'choice',
    choices: METHODS,
    default: 'forest-rounds',
    help: 'How the score is corrected: by cross-fitted forests that minimize log loss, followed by rounds of Algorithm 1 until no group is surely off; by either of the two alone; or by a published method, for comparison.',
  },
  guarantee: {
    type: 'choice',
    choices: ['multiaccuracy', 'multicalibration', 'level-set'],
    default: 'multicalibration',
    help: 'What to guarantee for every auditor.',
  },
  epsilon: number(0, 1, 'The error to stay within; it decides tolerance and bins.', {
    open: true,
    default: 0.05,
  }),
  auditors: {
    type: 'object',
    help: 'groups(...), trees(...), linear(...) or functions(...). Default: trees({ depth: 2 }).',
  },
  factors: {
    type: 'choice',
    choices: FACTOR_KINDS,
    defaultWords: 'the richest that suit the guarantee',
    methods: ROUNDS,
    help: 'How updates may depend on the current prediction.',
  },
  tolerance: number(0, 1, 'alpha: the least gain in mean squared error that is worth a round.', {
    open: true,
    defaultWords: 'from epsilon',
    methods: ROUNDS,
  }),
  slack: number(0, 1, 'tau: how far from the best update the oracle may stay.', {
    default: 0,
    methods: ROUNDS,
  }),
  bins: integer(1, 1000, 'K: prediction bins, for the factors and for rounding.', {
    defaultWords: 'from epsilon',
  }),
  stop: {
    type: 'choice',
    choices: ['certificate', 'validation'],
    default: 'validation',
    methods: ROUNDS,
    help: 'Stop when no update gains the tolerance on the fitting rows (the paper), or when the held-out loss has stopped falling.',
  },
  holdout: number(0, 0.9, 'The share of rows held out, when no fold column is named.', {
    defaultWords: '0.1; 0.05 of 2,000 to 9,999 rows, but not with method "rounds"; 0 with stop "certificate"',
  }),
  patience: integer(0, 1000, 'Rounds without a new minimum of the held-out loss before stopping.', {
    default: 10,
    methods: ROUNDS,
  }),
  learningRate: number(0.001, 1, 'The share of each update, or of each tree of a forest, that is applied.', {
    defaultWords:
      'with forests 0.3, or 0.1 below 10,000 rows; that of a published method; with "rounds" 1, or 0.3 with stop "validation" where updates are chosen by what they gain on the fitting rows: with other auditors than trees of depth 2, other factors than "table", or a greedy search',
    methods: [...ROUNDS, ...FORESTS, ...baselinesThatRead('learningRate')],
  }),
  roundLimit: integer(0, 100_000, 'The most rounds, or the most trees of one forest.', {
    defaultWords: '10000; with forests 2000; that of a published method',
    methods: [...ROUNDS, ...FORESTS, ...baselinesThatRead('roundLimit')],
  }),
  leaves: integer(2, 64, 'The most leaves of a tree.', {
    defaultWords: '8 to 64 by the number of rows',
    methods: FORESTS,
  }),
  ridge: number(0, 1e6, 'Added to the information of every leaf, in rows at even odds times four.', {
    default: 3,
    methods: FORESTS,
  }),
  parts: integer(2, 60, 'Parts of the cross-fit; each part gets a forest grown on the others.', {
    defaultWords: '6; 12 below 10,000 rows, 4 from 100,000',
    methods: FORESTS,
  }),
  // More rows would hardly change a forest, and each takes 40 bytes and up to two for every feature, in every thread.
  sampleRows: integer(
    1000,
    2 ** 24,
    'The most rows that forests learn from, chosen by a hash of their contents.',
    {
      default: 2 ** 20,
      methods: FORESTS,
    },
  ),
  search: {
    type: 'choice',
    choices: ['auto', 'exhaustive', 'greedy'],
    default: 'auto',
    help: 'How trees are searched; auto is exhaustive for depth 1 and 2 within the cell budget.',
  },
  cellBudget: integer(1, 2 ** 40, 'The most histogram cells that one exhaustive search may ask for.', {
    default: 2 ** 27,
  }),
  featureBins: integer(2, 255, 'The most bins per column.', { default: 255 }),
  coarseBins: integer(2, 64, 'The most bins per column in the certified class.', {
    defaultWords:
      'with forests one for every 128 rows of a pair of columns, 8 to 64; else 16, 32 or 64 by the number of rows',
  }),
  rare: number(0, 1, 'Categories with a smaller share of the rows than this are pooled.', {
    default: 0.0005,
  }),
  confidence: number(0, 1, 'Confidence of the held-out certificate.', { open: true, default: 0.95 }),
  chosenFrom: integer(
    1,
    1_000_000,
    'How many methods or settings were tried on these rows before this one was chosen: what is proven about new rows allows for it.',
    { default: 1 },
  ),
  seed: integer(
    0,
    2 ** 32 - 1,
    'Seed of the split into fitting and held-out rows, and of methods that draw.',
    {
      default: 1,
    },
  ),
  threads: integer(1, 1024, 'The most threads; a small table is counted in one.', {
    defaultWords: 'the number of cores',
  }),
  signal: { type: 'object', help: 'An AbortSignal that cancels the fit.' },
  checkpoint: {
    type: 'object',
    help: 'Where rounds are kept, as { load, save }, so that a fit that was interrupted can continue where it stopped.',
  },
  onRound: { type: 'function', help: 'Called after every round with its trace entry.' },
  onTree: {
    type: 'function',
    help: 'Called after every tree of a forest, with the part it belongs to and the loss there.',
  },
  onGroup: {
    type: 'function',
    help: 'Called after every group that is corrected after a forest, with its conditions, updates and evidence.',
  },
  onStep: {
    type: 'function',
    help: 'Called after every step of a published method, such as a round of its boosting, with the number of steps so far.',
  },
  onPhase: { type: 'function', help: 'Called with the name of every phase when it begins.' },
  onWarning: { type: 'function', help: 'Called with every warning, as a sentence.' },
  engine: { type: 'function', help: 'Makes the engine that holds the rows. Default: the memory engine.' },
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof OPTIONS

/** What may be given for an option that is no object and no function. */
export type OptionValue<Name extends OptionName> = (typeof OPTIONS)[Name] extends {
  readonly choices: readonly (infer Choice)[]
}
  ? Choice
  : {
      number: number
      integer: number
      column: string
      columns: readonly string[]
      text: string
      flag: boolean
      object: object
      function: (...given: never[]) => unknown
      choice: string
    }[(typeof OPTIONS)[Name]['type']]

/** The options of an audit. Those that a fit has too mean the same; some have another default. */
export const AUDIT_OPTIONS = {
  label: OPTIONS.label,
  prediction: { type: 'column', required: true, help: 'The score to audit, a probability.' },
  weight: OPTIONS.weight,
  positive: OPTIONS.positive,
  scoreScale: OPTIONS.scoreScale,
  categorical: OPTIONS.categorical,
  dropMissingLabels: OPTIONS.dropMissingLabels,
  copies: { ...OPTIONS.copies, default: 'independent' },
  features: { type: 'columns', help: 'Columns that groups are made of. Default: all without another role.' },
  except: { type: 'columns', help: 'Columns that groups are not made of, such as ids.' },
  protect: {
    type: 'columns',
    help: 'Columns whose values, and all their overlaps, are groups reported by name, in addition to those that are searched.',
  },
  auditors: { type: 'object', help: 'trees() of depth 1 or 2 (the default), or groups() that you declare.' },
  bins: integer(1, 1000, 'Levels of the score at which groups are also tested.', { default: 20 }),
  coarseBins: integer(2, 64, 'The most bins per column that groups are made of.', { default: 32 }),
  rare: OPTIONS.rare,
  cellBudget: OPTIONS.cellBudget,
  confidence: number(0, 1, 'Confidence of every interval.', { open: true, default: 0.95 }),
  significance: number(0, 1, 'The p-value up to which a finding counts as more than noise.', {
    open: true,
    default: 0.01,
  }),
  draws: integer(0, 100_000, 'The most draws of the noise behind the p-value.', { default: 199 }),
  budget: number(
    1,
    1e6,
    'Seconds that the search for groups may take, at nominal rates, so that the work is the same on every machine.',
    {
      default: 60,
    },
  ),
  listed: integer(1, 1000, 'The most groups in each list.', { default: 10 }),
  segmentDepth: integer(0, 3, 'The most columns per segment of the MCE; 0 leaves the measure out.', {
    default: 0,
  }),
  seed: integer(0, 2 ** 32 - 1, 'Seed of the intervals that are simulated.', { default: 1 }),
  threads: OPTIONS.threads,
  signal: { type: 'object', help: 'An AbortSignal that cancels the audit.' },
  onPhase: OPTIONS.onPhase,
  onProgress: {
    type: 'function',
    help: 'Called while groups are searched, with the share of the planned work that is done.',
  },
  onWarning: OPTIONS.onWarning,
  engine: OPTIONS.engine,
} as const satisfies Record<string, OptionSpec>
