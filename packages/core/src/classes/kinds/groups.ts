// Membership in declared groups.

import { showValue } from '../../data/column.ts'
import type { GroupAuditors, GroupSpec } from '../auditors.ts'
import { compileGroups, groupTree, requiredCuts } from '../groups.ts'
import { type AuditorKind, PLAIN, type Refuse } from './kind.ts'

export const groupKind: AuditorKind<GroupAuditors> = {
  ...PLAIN,
  check(auditors, refuse) {
    if (!Array.isArray(auditors.groups) || auditors.groups.length === 0) {
      refuse('no groups are declared.', 'a list of at least one group')
    }
    for (const spec of auditors.groups) checkGroup(spec, refuse)
  },
  requiredCuts,
  space: (auditors, _factors, { features }) => ({
    kind: 'partitions',
    partitions: compileGroups(auditors, features).map(group => ({
      tree: groupTree(group.path),
      words: group.words,
      indicator: true,
    })),
  }),
}

const TESTS = ['is', 'in', 'notIn', 'atMost', 'below', 'atLeast', 'above', 'missing']

/** Every condition is one test of one column, so that none is passed over in silence. */
function checkGroup(spec: GroupSpec, refuse: Refuse): void {
  if (typeof spec === 'string') return
  for (const condition of conditionsIn(spec)) {
    const { column, orMissing, ...tests } = Object(condition) as Record<string, unknown>
    const names = Object.keys(tests)
    const known = names.length === 1 && TESTS.includes(names[0])
    const flag = orMissing === undefined || (typeof orMissing === 'boolean' && names[0] !== 'missing')
    if (typeof column === 'string' && known && flag) continue
    refuse(
      `a group has the condition ${showKeys(condition)}.`,
      `a column and one of ${TESTS.join(', ')}; for a range, two conditions in a list`,
    )
  }
}

function conditionsIn(spec: unknown): unknown[] {
  if (Array.isArray(spec)) return spec
  const { name, where, ...rest } = Object(spec) as Record<string, unknown>
  const named = typeof name === 'string' && Array.isArray(where) && Object.keys(rest).length === 0
  return named ? where : [spec]
}

const showKeys = (value: unknown): string =>
  typeof value === 'object' && value !== null ? `{ ${Object.keys(value).join(', ')} }` : showValue(value)
