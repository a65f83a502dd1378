// Forged model files, one for each part of a file that predictions or statements use, each with what refuses it: reading the file,
// `verify`, what a reader expects, or the repeated fit. `scripts/write-forged.ts` writes them to disk for verifiers of other makes.
// A long list, kept whole: one entry after the other, each read by itself.

import type { ErrorCode } from '../../src/index.ts'
import { BASES, type BaseName } from './bases.ts'
import { agree, type Change, type Contents, forge } from './forge.ts'

/** What refuses a forged file. Whatever comes before it in this list takes the file for genuine. */
export type Refusal = 'read' | 'verify' | 'expect' | 'refit'

export interface Forgery {
  readonly name: string
  readonly base: BaseName
  readonly change: Change
  /** Is the rest of the file made to agree with the change? */
  readonly agrees?: boolean
  readonly by: Refusal
  /** A difference that is named, or the name of the expectation. */
  readonly path?: string
  /** Where it is an error rather than a difference. */
  readonly code?: ErrorCode
}

const feature = (contents: Contents, name: string): Contents =>
  contents.encoding.features.find((each: Contents) => each.name === name)

export const FORGERIES: readonly Forgery[] = [
  {
    name: 'rows that were fitted to are said to be held out',
    base: 'all',
    change: ({ roles }) => {
      roles.holdout = { fraction: 0.2, seed: 1 }
    },
    agrees: true,
    by: 'refit',
    path: 'updates',
  },
  {
    name: 'another seed of the split',
    base: 'forest',
    change: ({ options, roles }) => {
      roles.holdout.seed = 2
      options.seed = 2
    },
    agrees: true,
    by: 'refit',
    path: 'updates',
  },
  {
    name: 'another seed of the split than of the options',
    base: 'forest',
    change: ({ options }) => {
      options.seed = 2
    },
    by: 'verify',
    path: 'options.seed',
  },
  {
    name: 'less held out',
    base: 'forest',
    change: ({ roles }) => {
      roles.holdout.fraction = 0.05
    },
    agrees: true,
    by: 'expect',
    path: 'holdout',
  },
  {
    name: 'epsilon raised',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.claim.epsilon = 0.5
      certificate.holds = true
    },
    by: 'verify',
    path: 'certificate.claim.tolerance',
  },
  {
    name: 'epsilon raised, with all that follows from it',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.claim.epsilon = 0.5
    },
    agrees: true,
    by: 'expect',
    path: 'epsilon',
  },
  {
    name: 'another guarantee',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.claim.guarantee = 'multiaccuracy'
    },
    agrees: true,
    by: 'expect',
    path: 'guarantee',
  },
  {
    name: 'a class cut down to few splits',
    base: 'forest',
    change: contents => {
      for (const name of ['age', 'region']) feature(contents, name).coarse = [0]
    },
    by: 'verify',
    path: 'encoding.features[0].coarse[1]',
  },
  {
    name: 'a class cut down to few splits by an option',
    base: 'rounds',
    change: ({ options }) => {
      options.coarseBins = 2
    },
    agrees: true,
    by: 'expect',
    path: 'splits',
  },
  {
    name: 'a class of fewer columns',
    base: 'forest',
    change: ({ auditors }) => {
      auditors.columns = ['member']
    },
    agrees: true,
    by: 'expect',
    path: 'columns',
  },
  {
    name: 'trees of depth 1',
    base: 'forest',
    change: ({ auditors }) => {
      auditors.depth = 1
    },
    agrees: true,
    by: 'expect',
    path: 'depth',
  },
  {
    name: 'a cell budget for trees of depth 1',
    base: 'forest',
    change: contents => {
      contents.cellBudget = 1
    },
    agrees: true,
    by: 'expect',
    path: 'cellBudget',
  },
  {
    name: 'a rounding moved within its bin',
    base: 'rounds',
    change: ({ roundings }) => {
      const { values } = roundings.find(({ bins }: Contents) => bins === 4)
      values[2] = 2 ** 23
    },
    by: 'verify',
    path: 'roundings[3].values[2]',
  },
  {
    name: 'roundings dropped',
    base: 'rounds',
    change: ({ roundings }) => {
      roundings.pop()
    },
    by: 'verify',
  },
  {
    name: 'a cut moved between two values',
    base: 'rounds',
    change: contents => {
      feature(contents, 'age').cuts[0] += 1
    },
    by: 'verify',
    path: 'encoding.features[0].cuts[0]',
  },
  {
    name: 'a category that no row has',
    base: 'rounds',
    change: contents => {
      feature(contents, 'region').pooled = ['islands', 'overseas']
    },
    by: 'verify',
    path: 'encoding.features[1].pooled[1]',
  },
  {
    name: 'a wider range',
    base: 'rounds',
    change: contents => {
      feature(contents, 'age').range = [0, 120]
    },
    by: 'verify',
    path: 'encoding.features[0].range[0]',
  },
  {
    name: 'missing values denied',
    base: 'rounds',
    change: contents => {
      feature(contents, 'age').missing = false
    },
    by: 'verify',
    path: 'encoding.features[0].missing',
  },
  {
    name: 'fewer candidates paid for',
    base: 'rounds',
    change: ({ certificate }) => {
      certificate.claim.candidates = 1
    },
    by: 'verify',
    path: 'certificate.claim.candidates',
  },
  {
    name: 'confidence lowered',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.claim.confidence = 0.5
    },
    agrees: true,
    by: 'expect',
    path: 'confidence',
  },
  {
    name: 'the budget of the auditors lowered',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.claim.budget = 0.25
    },
    by: 'verify',
    path: 'certificate.claim.budget',
  },
  {
    name: 'another planned tolerance',
    base: 'rounds',
    change: ({ certificate }) => {
      certificate.claim.tolerance /= 4
    },
    by: 'verify',
    path: 'certificate.claim.tolerance',
  },
  {
    name: 'other bins',
    base: 'rounds',
    change: ({ certificate }) => {
      certificate.claim.bins = 4
    },
    by: 'verify',
    path: 'certificate.claim.bins',
  },
  {
    name: 'a realized tolerance made smaller',
    base: 'rounds',
    change: ({ certificate }) => {
      certificate.tolerances[1].tolerance /= 2
    },
    by: 'verify',
    path: 'certificate.tolerances[1].tolerance',
  },
  {
    name: 'the list of protected columns dropped',
    base: 'rounds',
    change: ({ roles }) => {
      delete roles.protect
    },
    agrees: true,
    by: 'expect',
    path: 'protect',
  },
  {
    name: 'rows without a label kept',
    base: 'forest',
    change: ({ roles }) => {
      delete roles.dropMissingLabels
    },
    by: 'verify',
    code: 'FB_MISSING_VALUE',
  },
  {
    name: 'the other word counts as 1',
    base: 'rounds',
    change: ({ roles }) => {
      roles.positive = 'good'
    },
    by: 'verify',
    path: 'certificate.rows.fingerprint',
  },
  {
    name: 'scores in percent said to be probabilities',
    base: 'forest',
    change: ({ start }) => {
      delete start.scale
    },
    by: 'verify',
    code: 'FB_PREDICTION_RANGE',
  },
  {
    name: 'the role of the weights dropped',
    base: 'forest',
    change: ({ roles }) => {
      delete roles.weight
    },
    agrees: true,
    by: 'expect',
    path: 'weight',
  },
  {
    name: 'copies of a row counted as independent',
    base: 'rounds',
    change: ({ roles }) => {
      roles.copies = 'independent'
    },
    agrees: true,
    by: 'expect',
    path: 'copies',
  },
  {
    name: 'the last update dropped',
    base: 'rounds',
    change: ({ updates }) => {
      updates.pop()
    },
    agrees: true,
    by: 'refit',
    path: 'updates',
  },
  {
    name: 'an update moved by one unit',
    base: 'rounds',
    change: ({ updates }) => {
      updates[0].values[0] += 1
    },
    agrees: true,
    by: 'refit',
    path: 'updates[0].values[0]',
  },
  {
    name: 'another base rate to start from',
    base: 'unscored',
    change: ({ start }) => {
      start.units += 1
    },
    by: 'verify',
    path: 'start.units',
  },
  {
    name: 'another method',
    base: 'forest',
    change: ({ options }) => {
      options.method = 'forest'
    },
    agrees: true,
    by: 'expect',
    path: 'method',
  },
  {
    name: 'another oracle',
    base: 'rounds',
    change: ({ certificate }) => {
      certificate.oracle = 'greedy'
    },
    by: 'verify',
    path: 'certificate.oracle',
  },
  {
    name: 'a smaller bound on new rows',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.heldOut.multicalibration.bound /= 2
    },
    by: 'verify',
    path: 'certificate.heldOut.multicalibration.bound',
  },
  {
    name: 'a claim that is said to hold',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.holds = !certificate.holds
    },
    by: 'verify',
    path: 'certificate.holds',
  },
  {
    name: 'other words of a statement',
    base: 'forest',
    change: ({ certificate }) => {
      certificate.proven[0] = 'Nobody is treated unfairly.'
    },
    by: 'verify',
    path: 'certificate.proven[0]',
  },
  {
    name: 'relabelled as a file of version 2, which records no options',
    base: 'all',
    change: contents => {
      contents.version = 2
      delete contents.options
    },
    by: 'verify',
    code: 'FB_MODEL_VERSION',
  },
  {
    name: 'an option that there is not',
    base: 'forest',
    change: ({ options }) => {
      options.luck = 1
    },
    by: 'read',
    code: 'FB_MODEL_FORMAT',
  },
  {
    name: 'an option that the method does not read',
    base: 'forest',
    change: ({ options }) => {
      options.patience = 10
    },
    by: 'read',
    code: 'FB_MODEL_FORMAT',
  },
]

/** The forged file, made from the genuine one of its base. */
export async function makeForged({ agrees, base, change }: Forgery, genuine: string): Promise<string> {
  const forged = forge(genuine, change)
  return agrees ? await agree(forged, BASES[base].rows) : forged
}
