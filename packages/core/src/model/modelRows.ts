// The rows of a table in an engine, read as a model read its own: the same roles, split, cuts and start.

import type { Auditors } from '../classes/auditors.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { withOldTimes } from '../data/oldTimes.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWording, type Wording } from '../data/wording.ts'
import type { Engine, MakeEngine } from '../engine/engine.ts'
import { defaultEngine } from '../engine/engines.ts'
import {
  type OpenOptions,
  type ProfileOptions,
  type RowProfile,
  type RowStore,
  storeOf,
} from '../store/store.ts'
import type { Model } from './model.ts'

export async function openModelRows(
  model: Model,
  rows: Table | TableSource | RowStore,
  makeEngine: MakeEngine = defaultEngine(),
): Promise<Engine> {
  const profile = await profileRows(model, rows, makeEngine)
  return await profile.open(model.data.encoding, openingOf(model))
}

/** What there is to know of the rows before columns are cut. `learned`: are cuts to be learned again? */
export const profileRows = (
  model: Model,
  rows: Table | TableSource | RowStore,
  makeEngine: MakeEngine,
  options: Pick<ProfileOptions, 'learned' | 'signal'> = {},
): Promise<RowProfile> => profileFor(model, storeOf(asFitted(model, rows), makeEngine), options)

/** Are these the rows that the model was fitted to, held-out ones included? */
export async function isFittedTo(
  model: Model,
  rows: Table | TableSource | RowStore,
  signal?: CancelSignal,
): Promise<boolean> {
  const { certificate, data } = model
  try {
    const profile = await profileFor(model, storeOf(asFitted(model, rows), defaultEngine()), { signal })
    return (await profile.fingerprint(data.encoding, openingOf(model))) === certificate.rows.fingerprint
  } catch (error) {
    // Rows without the fold column of the fit, or with too few rows to be split, are other rows.
    if (error instanceof FeatureBoostError && error.code !== 'FB_ABORTED') return false
    throw error
  }
}

/** Words as the model has them; files of version 1 were fitted to dates as they were read then. */
const asFitted = <T extends Table | TableSource | RowStore>(model: Model, rows: T) =>
  readWording(model.data.version === 1 ? withOldTimes(rows) : rows, wordingOf(model))

/** How the model reads outcome, score and numbers that are names. */
export function wordingOf({ data: { encoding, roles, start } }: Model): Wording {
  const { dropMissingLabels, label, positive } = roles
  return {
    ...{ label, positive, dropMissingLabels },
    ...(start.kind === 'column' && { scores: [start.column], scoreScale: start.scale }),
    categorical: encoding.features.flatMap(feature =>
      feature.kind === 'categorical' && feature.numbers ? [feature.name] : [],
    ),
  }
}

function profileFor(
  model: Model,
  store: RowStore,
  { learned = false, signal }: Pick<ProfileOptions, 'learned' | 'signal'>,
): Promise<RowProfile> {
  const { holdout, ...roles } = modelRowRoles(model)
  return store.profile(roles, { holdout, learned, signal })
}

/** The model's base rate, whatever that of these rows is. */
export const openingOf = ({ data: { start }, functions }: Model): OpenOptions => ({
  functions,
  ...(start.kind === 'constant' && { start: start.units }),
})

/** The roles that the columns of its rows had. */
export function modelRowRoles({ data: { encoding, roles, start } }: Model) {
  const { protect: _, ...columns } = roles
  const given = encoding.features.filter(feature => !encoding.functions.includes(feature.name))
  return {
    ...columns,
    copies: columns.copies ?? ('unsaid' as const),
    features: given.map(feature => feature.name),
    ...(start.kind === 'column' && { prediction: start.column }),
  }
}

/** The model's auditors, with the functions that the file could not hold. */
export function auditorsOf({ data: { auditors }, functions }: Model): Auditors {
  return auditors.kind === 'functions' ? { ...auditors, functions } : auditors
}
