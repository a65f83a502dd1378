// One batch after another: money on bets, e-values, alarms. Pure: from a state and what a batch won to the next state.

import type { Claim } from './alarms.ts'
import { refuse } from './alarms.ts'
import type { Alarm, Batch, GroupEntry, MonitorData } from './data.ts'
import { driftClaims, driftLevel, driftWon, stabilityIndex } from './drift.ts'
import type { GapSums } from './interval.ts'
import { NAMED_BETS, SEARCH_BETS, type Won } from './tally.ts'
import { addLogs, eitherSide, logUnits, NOTHING, nextWealth, type Sides, sidesOf } from './wealth.ts'

/** What the named groups have of the money, all together; the groups of the search have the rest. */
const NAMED_SHARE = 3 / 4

/** Of the search, groups whose e-value is so large are followed batch by batch. */
const FOLLOWED_FROM = logUnits(10)
const MOST_FOLLOWED = 20

export interface GroupWeights {
  readonly named: number
  readonly searched: number
}

/** What each group has of the money, and of the level of its interval. */
export function groupWeights(namedCount: number, searchedCount: number): GroupWeights {
  if (searchedCount === 0) return { named: 1 / namedCount, searched: 0 }
  return { named: NAMED_SHARE / namedCount, searched: (1 - NAMED_SHARE) / searchedCount }
}

/** Batches with labels so far. */
export const labelledCount = ({ batches }: Pick<MonitorData, 'batches'>): number =>
  batches.reduce((most, { labelled }) => Math.max(most, labelled?.order ?? 0), 0)

/** Batches whose columns were counted so far. */
export const countedBatches = ({ batches }: Pick<MonitorData, 'batches'>): number =>
  batches.filter(({ drift }) => drift !== undefined).length

type Labelled = NonNullable<Batch['labelled']>
type AfterLabels = Pick<MonitorData, 'namedWealth' | 'searchedWealth' | 'followed' | 'alarms' | 'raised'> & {
  readonly labelled: Omit<Labelled, 'print'>
}

/** Outcomes of one batch. */
export function advanceLabels(data: MonitorData, named: Won, searched: Won): AfterLabels {
  const order = labelledCount(data) + 1
  const namedWealth = nextWealth(data.namedWealth, named.bets, order, NAMED_BETS.length)
  const searchedWealth = nextWealth(data.searchedWealth, searched.bets, order, SEARCH_BETS.length)
  const weights = groupWeights(named.gaps.length, searched.gaps.length)
  const ownSides = named.gaps.map((_, group) => sidesOf(namedWealth, group, NAMED_BETS.length, order))
  const otherSides = searched.gaps.map((_, group) =>
    sidesOf(searchedWealth, group, SEARCH_BETS.length, order),
  )
  const [own, others] = [ownSides.map(eitherSide), otherSides.map(eitherSide)]
  // Two claims for each group: that its scores are not too low, and that they are not too high.
  const claimsOf = (weight: number) => (sides: Sides) =>
    SIDES.map((side): Claim => ({ weight: weight / 2, evidence: sides[side] }))
  const claims = [
    ...ownSides.flatMap(claimsOf(weights.named)),
    ...otherSides.flatMap(claimsOf(weights.searched)),
  ]
  const refused = refuse(claims, data.delta)
  const alarms = joinAlarms(data.alarms, refused.each, own.length, order)
  const followed = follow(data.followed, others, alarms, order)
  const raised = data.raised ?? (refused.any ? order : undefined)
  return {
    ...{ namedWealth, searchedWealth, alarms, followed },
    ...(raised !== undefined && { raised }),
    labelled: {
      order,
      groups: [
        ...named.gaps.map((gap, group) => entryOf(gap, own[group])),
        ...followed.map(({ group }) => entryOf(searched.gaps[group], others[group])),
      ],
      evidence: averageOf(claims),
    },
  }
}

const entryOf = ({ squares, sum, weight }: GapSums, evidence: number): GroupEntry => [
  weight,
  sum,
  squares,
  evidence,
]

/** In the order of the claims. */
const SIDES = ['low', 'high'] as const

function joinAlarms(
  before: readonly Alarm[],
  refused: readonly boolean[],
  namedCount: number,
  order: number,
): readonly Alarm[] {
  const nameOf = ({ group, kind, side }: Omit<Alarm, 'order'>) => `${kind} ${group} ${side}`
  const known = new Set(before.map(nameOf))
  const added = refused.flatMap((isRefused, index): Alarm[] => {
    const place = Math.floor(index / SIDES.length)
    const kind = place < namedCount ? 'named' : 'searched'
    const group = place < namedCount ? place : place - namedCount
    const alarm = { group, kind, side: SIDES[index % SIDES.length], order } as const
    return isRefused && !known.has(nameOf(alarm)) ? [alarm] : []
  })
  return [...before, ...added]
}

/** Once followed, always followed; those with an alarm first, then those with the most evidence. */
function follow(
  before: MonitorData['followed'],
  evidence: readonly number[],
  alarms: readonly Alarm[],
  order: number,
): MonitorData['followed'] {
  const known = new Set(before.map(({ group }) => group))
  const isAlarmed = new Set(alarms.flatMap(({ group, kind }) => (kind === 'searched' ? [group] : [])))
  const added = evidence
    .map((_, group) => group)
    .filter(group => !known.has(group) && (evidence[group] >= FOLLOWED_FROM || isAlarmed.has(group)))
    .sort((a, b) => Number(isAlarmed.has(b)) - Number(isAlarmed.has(a)) || evidence[b] - evidence[a] || a - b)
    .slice(0, Math.max(0, MOST_FOLLOWED - before.length))
  return [...before, ...added.map(group => ({ group, order }))]
}

/** The logarithm of the weighted average of all e-values. */
function averageOf(claims: readonly Claim[]): number {
  let [sum, weight, share] = [NOTHING, 0, NOTHING]
  for (const claim of claims) {
    if (claim.weight !== weight) {
      weight = claim.weight
      share = logUnits(weight)
    }
    sum = addLogs(sum, share + claim.evidence)
  }
  return sum
}

type AfterColumns = Pick<MonitorData, 'driftWealth' | 'driftAlarms'> & { readonly drift: readonly number[] }

/** Columns and scores of one batch. */
export function advanceColumns(data: MonitorData, counts: readonly (readonly number[])[]): AfterColumns {
  const { delta, reference } = data
  const order = countedBatches(data) + 1
  const won = driftWon(reference, counts, delta)
  const driftWealth = nextWealth(data.driftWealth, won, order, NAMED_BETS.length)
  const { each } = refuse(driftClaims(reference, driftWealth, order), driftLevel(delta))
  const known = new Set(data.driftAlarms.map(({ feature }) => feature))
  const added = each.flatMap((isRefused, feature) =>
    isRefused && !known.has(feature) ? [{ feature, order }] : [],
  )
  return {
    driftWealth,
    driftAlarms: [...data.driftAlarms, ...added],
    drift: reference.counts.map((before, index) => Math.round(1e6 * stabilityIndex(before, counts[index]))),
  }
}
