// Groups that are watched by name: everyone, those that are declared, every value of protected columns, and those that the model's
// corrections name. Each is kept as predicates on values, which mean the same whatever is learned later.

import type { GroupAuditors } from '../classes/auditors.ts'
import { describePath } from '../classes/describe.ts'
import { compileGroups } from '../classes/groups.ts'
import { predicatesOfPath } from '../classes/predicates.ts'
import { protectedGroups } from '../classes/protected.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { ModelData } from '../model/data.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { type Condition, leafPaths, type Tree, type Update } from '../update/update.ts'
import type { GroupKind, NamedGroup } from './data.ts'

/** More names would leave each with too little money, and a page that nobody reads. */
export const MOST_NAMED = 200

/** Of the groups that corrections name, the first. */
const MOST_CORRECTIONS = 20

interface NamedPath {
  readonly words: string
  readonly path: readonly Condition[]
}

interface Asked {
  readonly declared: GroupAuditors
  readonly protect: readonly string[]
}

/** `features`: of the columns, with all cuts that declared groups need. */
export function watchedGroups(
  { encoding, updates }: Pick<ModelData, 'encoding' | 'updates'>,
  { declared, protect }: Asked,
  features: readonly FeatureSchema[],
): NamedGroup[] {
  const named =
    (kind: GroupKind, own: readonly FeatureSchema[]) =>
    ({ path, words }: NamedPath): NamedGroup => ({ kind, words, where: predicatesOfPath(path, own) })
  const [everyone, ...others] = compileGroups(declared, features)
  const all = [
    named('everyone', features)(everyone),
    ...others.map(named('declared', features)),
    ...protectedGroups(protect, features).map(named('protected', features)),
    ...correctedGroups(updates, encoding.features, encoding.functions).map(
      named('correction', encoding.features),
    ),
  ]
  const seen = new Set<string>()
  const groups = all.filter(({ where }) => {
    const key = JSON.stringify(where)
    return !seen.has(key) && seen.add(key)
  })
  if (groups.length > MOST_NAMED) throw tooMany(groups.length)
  return groups
}

/** Leaves that the model's corrections move, by what they ask about columns; conditions on the score are left out. */
function correctedGroups(
  updates: readonly Update[],
  features: readonly FeatureSchema[],
  functions: readonly string[],
): NamedPath[] {
  const found = new Map<string, NamedPath>()
  const isComputed = ({ split }: Condition) =>
    split.kind !== 'below' && functions.includes(features[split.feature].name)
  for (const update of updates) {
    if (update.kind !== 'table') continue
    const { levels, tree, values } = update
    for (const [leaf, ways] of waysToLeaves(tree, features)) {
      const [way] = ways.values()
      const moves = values.slice(leaf * levels, (leaf + 1) * levels).some(value => value !== 0)
      // A leaf that is reached in several ways is what others leave over.
      if (!moves || ways.size > 1 || way.path.length === 0 || way.path.some(isComputed)) continue
      if (found.size < MOST_CORRECTIONS && !found.has(way.words)) found.set(way.words, way)
    }
  }
  return [...found.values()]
}

function waysToLeaves(tree: Tree, features: readonly FeatureSchema[]): Map<number, Map<string, NamedPath>> {
  const ways = new Map<number, Map<string, NamedPath>>()
  for (const { leaf, path } of leafPaths(tree)) {
    const onColumns = path.filter(({ split }) => split.kind !== 'below')
    const words = describePath(onColumns, features)
    const known = ways.get(leaf) ?? new Map<string, NamedPath>()
    ways.set(leaf, known.set(words, { words, path: onColumns }))
  }
  return ways
}

const tooMany = (count: number) =>
  new FeatureBoostError('FB_OPTION_VALUE', `${formatCount(count)} groups are to be watched by name.`, {
    found: count,
    expected: `at most ${formatCount(MOST_NAMED)}`,
    hint: 'Declare or protect fewer columns, or columns with fewer values.',
  })
