// The methods by name: how each is started and with what settings. Everything that decides a result stands here, because
// results are kept under a key made of it.

import type { FitOptions } from '@featureboost/core'

export interface PeerMethod {
  readonly kind: 'peer'
  readonly name: string
  readonly title: string
  /** A module of bench/versus/peers. */
  readonly module: string
  readonly settings: object
  /** Whose versions the result hangs on. */
  readonly packages: readonly string[]
  /** Raised when the module changes what it does. */
  readonly revision: number
}

export interface OurMethod {
  readonly kind: 'ours'
  readonly name: string
  readonly title: string
  readonly settings: Partial<FitOptions>
}

export type Method = PeerMethod | OurMethod

const LIGHTGBM = ['lightgbm', 'numpy']

export const PEERS: readonly PeerMethod[] = [
  {
    kind: 'peer',
    name: 'isotonic',
    title: 'isotonic regression, scikit-learn',
    module: 'isotonic',
    settings: {},
    packages: ['scikit-learn', 'numpy'],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'sigmoid',
    title: 'sigmoid (Platt), scikit-learn',
    module: 'sigmoid',
    settings: {},
    packages: ['scikit-learn', 'numpy'],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'mcgrad',
    title: 'MCGrad, defaults',
    module: 'mcgrad_peer',
    settings: {},
    packages: ['MCGrad', ...LIGHTGBM],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'mcgrad-tutorial',
    title: 'MCGrad, settings of its tutorial',
    module: 'mcgrad_peer',
    settings: { learning_rate: 0.1, n_estimators: 250 },
    packages: ['MCGrad', ...LIGHTGBM],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'jin',
    title: 'Jin et al., depth-2 trees of LightGBM',
    module: 'jin',
    // What their search over settings chose for income.
    settings: { learningRate: 0.0316, subsample: 0.7 },
    packages: ['scikit-learn', ...LIGHTGBM],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'hkrr',
    title: 'HKRR, package multicalibration',
    module: 'multicalibration_peer',
    settings: {
      algorithm: 'HKRR',
      parameters: { alpha: 0.1, lambda: 0.1, max_iter: 100, randomized: true, use_oracle: false },
    },
    packages: ['multicalibration', 'numpy'],
    revision: 1,
  },
  {
    kind: 'peer',
    name: 'hjz',
    title: 'HJZ (Hedge), package multicalibration',
    module: 'multicalibration_peer',
    settings: {
      algorithm: 'HJZ',
      parameters: {
        algorithm: 'Hedge',
        other_algorithm: 'None',
        lr: 0.9,
        other_lr: 0.9,
        n_bins: 10,
        iterations: 30,
      },
    },
    packages: ['multicalibration', 'numpy'],
    revision: 1,
  },
]

export const OURS: OurMethod = { kind: 'ours', name: 'ours', title: 'featureboost, defaults', settings: {} }

/** From the text of `--ours`: options of fit as JSON, with the name of the setting before an equals sign if wanted. */
export function readOurs(text: string): OurMethod {
  const named = /^([\w.-]+)=([\s\S]*)$/.exec(text)
  const json = named === null ? text : named[2]
  let settings: unknown
  try {
    settings = JSON.parse(json)
  } catch {
    settings = undefined
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new Error(`--ours: ${text} is not a JSON object of fit options, such as fine={"featureBins":255}.`)
  }
  const name = `ours:${named?.[1] ?? json.replaceAll(/[^\w.,:-]/g, '')}`
  return { kind: 'ours', name, title: `featureboost, ${json}`, settings }
}
