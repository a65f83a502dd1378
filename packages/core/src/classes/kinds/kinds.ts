// The kinds of auditors, by name.

import { FeatureBoostError } from '../../common/errors.ts'
import type { RowFunctions } from '../../quantize/signals.ts'
import type { Auditors } from '../auditors.ts'
import { functionKind } from './functions.ts'
import { groupKind } from './groups.ts'
import type { AuditorKind, Refuse } from './kind.ts'
import { linearKind } from './linear.ts'
import { treeKind } from './trees.ts'

const KINDS: { readonly [Kind in Auditors['kind']]: AuditorKind<Extract<Auditors, { kind: Kind }>> } = {
  groups: groupKind,
  trees: treeKind,
  linear: linearKind,
  functions: functionKind,
}

/** What its kind says of it: to be asked with these auditors only. */
export const kindOf = ({ kind }: Auditors): AuditorKind<Auditors> =>
  KINDS[kind] as unknown as AuditorKind<Auditors>

export function checkAuditors(auditors: Auditors): void {
  const refuse: Refuse = (message, expected) => {
    throw new FeatureBoostError('FB_OPTION_VALUE', message, { found: auditors, expected })
  }
  if (!Object.hasOwn(KINDS, auditors.kind))
    refuse('auditors of an unknown kind.', 'groups(...), trees(...), linear(...) or functions(...)')
  kindOf(auditors).check(auditors, refuse)
}

/** The user's functions, or none. */
export const functionsOf = (auditors: Auditors): RowFunctions => kindOf(auditors).functions(auditors)
