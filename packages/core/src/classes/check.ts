// Are auditors as they may be declared? Types cannot say all of it, and the command line and the page hand over whatever they read.

import { FeatureBoostError } from '../common/errors.ts'
import { showValue } from '../data/column.ts'
import type { Auditors, FunctionAuditors, GroupSpec } from './auditors.ts'

type Refuse = (message: string, expected: string) => never

export function checkAuditors(auditors: Auditors): void {
  const refuse: Refuse = (message, expected) => {
    throw new FeatureBoostError('FB_OPTION_VALUE', message, { found: auditors, expected })
  }
  switch (auditors.kind) {
    case 'trees':
      if (![1, 2, 3, 4].includes(auditors.depth))
        refuse(`trees of depth ${auditors.depth}.`, 'a depth of 1, 2, 3 or 4')
      if (auditors.columns?.length === 0) refuse('trees without columns.', 'at least one column')
      checkColumns(auditors.columns, refuse)
      break
    case 'linear':
      if (!(auditors.budget > 0 && Number.isFinite(auditors.budget))) {
        refuse(`a budget of ${auditors.budget}.`, 'a number above 0')
      }
      checkColumns(auditors.columns, refuse)
      break
    case 'functions':
      checkFunctions(auditors, refuse)
      break
    case 'groups':
      if (!Array.isArray(auditors.groups) || auditors.groups.length === 0) {
        refuse('no groups are declared.', 'a list of at least one group')
      }
      for (const spec of auditors.groups) checkGroup(spec, refuse)
      break
    default:
      refuse('auditors of an unknown kind.', 'groups(...), trees(...), linear(...) or functions(...)')
  }
}

function checkColumns(columns: unknown, refuse: Refuse): void {
  if (columns === undefined) return
  if (!Array.isArray(columns) || columns.some(name => typeof name !== 'string')) {
    refuse(`columns is ${showValue(columns)}.`, 'a list of column names')
  }
}

function checkFunctions({ functions, valueBins }: FunctionAuditors, refuse: Refuse): void {
  const named = Object.entries(functions ?? {})
  if (named.length === 0) refuse('no auditor functions are declared.', 'at least one function')
  for (const [name, entry] of named) {
    if (typeof entry !== 'function')
      refuse(`the auditor function "${name}" is ${showValue(entry)}.`, 'a function')
  }
  if (valueBins !== undefined && !(Number.isInteger(valueBins) && valueBins >= 2 && valueBins <= 64)) {
    refuse(`valueBins is ${valueBins}.`, 'a whole number from 2 to 64')
  }
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
