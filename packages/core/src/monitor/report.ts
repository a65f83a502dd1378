// What a monitor has to say: which groups are surely off, since when, by how much, which columns have drifted, and what to do.

import { fromUnits } from '../common/units.ts'
import { groupWeights } from './advance.ts'
import { advise } from './advice.ts'
import { LOG_ONE, MOST_USUAL } from './bets.ts'
import { changePoint } from './changePoint.ts'
import type { Alarm, Batch, MonitorData } from './data.ts'
import { chanceIndex } from './drift.ts'
import type { MonitorReport, TimelinePoint, WatchedColumn, WatchedGap, WatchedGroup } from './facts.ts'
import { type GapSums, gapInterval } from './interval.ts'
import { SearchFamily } from './search.ts'
import { startShare } from './wealth.ts'

const LN10 = Math.LN10

/** As a power of ten, rounded down. */
const powerOfTen = (evidence: number): number => Math.floor((evidence / LOG_ONE / LN10) * 100) / 100

export function reportOf(data: MonitorData): MonitorReport {
  const { batches, delta, maxGap, modelHash, reference } = data
  const labelled = labelledBatches(data)
  const family = new SearchFamily(reference.features, data.searched)
  const groups = groupsOf(data, labelled, family)
  const columns = columnsOf(data)
  const raised = data.raised === undefined ? undefined : nameOf(labelled, data.raised)
  const facts = {
    ...{ modelHash, delta, maxGap },
    batches: batches.length,
    rows: batches.reduce((sum, { rowCount }) => sum + rowCount, 0),
    labelledBatches: labelled.length,
    labelledRows: labelled.reduce((sum, { rowCount }) => sum + rowCount, 0),
    referenceRows: reference.rowCount,
    alarm: raised !== undefined,
    ...(raised !== undefined && { raised }),
    groups,
    searched: {
      groups: family.groups.length,
      columns: data.searched.map(feature => reference.features[feature].name),
    },
    columns,
  }
  return { ...facts, advice: advise(facts), timeline: timelineOf(data) }
}

type LabelledBatch = Batch & { readonly labelled: NonNullable<Batch['labelled']> }

/** In the order in which their labels came. */
const labelledBatches = ({ batches }: MonitorData): LabelledBatch[] =>
  batches
    .filter((batch): batch is LabelledBatch => batch.labelled !== undefined)
    .sort((a, b) => a.labelled.order - b.labelled.order)

const nameOf = (labelled: readonly LabelledBatch[], order: number): string => labelled[order - 1].name

function groupsOf(
  data: MonitorData,
  labelled: readonly LabelledBatch[],
  family: SearchFamily,
): WatchedGroup[] {
  const { alarms, followed, named } = data
  const weights = groupWeights(named.length, family.groups.length)
  const own = named.map(({ kind, words }, index) => {
    const own = alarms.filter(each => each.kind === 'named' && each.group === index)
    return watch(data, labelled, { group: words, kind, place: index, weight: weights.named, alarms: own })
  })
  const found = followed.map(({ group }, index) => {
    const own = alarms.filter(each => each.kind === 'searched' && each.group === group)
    return watch(data, labelled, {
      ...{ group: family.words(group), kind: 'found', alarms: own },
      ...{ place: named.length + index, weight: weights.searched },
    })
  })
  // A group of the search may be one that has a name.
  const names = new Set(own.map(({ group }) => group))
  return [...own, ...found.filter(({ group }) => !names.has(group))].sort(
    (a, b) => rankOf(b) - rankOf(a) || b.evidence - a.evidence,
  )
}

/** Alarms first, of named groups before others; then everyone; then the rest by their evidence. */
const rankOf = ({ alarm, kind }: WatchedGroup): number =>
  alarm === undefined ? Number(kind === 'everyone') : kind === 'found' ? 2 : 3

interface Watched {
  readonly group: string
  readonly kind: WatchedGroup['kind']
  /** Among the entries of a batch. */
  readonly place: number
  readonly weight: number
  /** The first of them first. */
  readonly alarms: readonly Alarm[]
}

function watch(
  { delta, maxGap, weight: weighted }: MonitorData,
  labelled: readonly LabelledBatch[],
  { alarms: [alarm, other], group, kind, place, weight }: Watched,
): WatchedGroup {
  const seen = labelled.filter(({ labelled: { groups } }) => place < groups.length)
  const entries = seen.map(({ labelled: { groups } }): GapSums => {
    const [weight, sum, squares] = groups[place]
    return { weight, sum, squares }
  })
  const most = weighted === undefined ? 1 : MOST_USUAL
  const orders = seen.map(batch => batch.labelled.order)
  // All groups, all first batches and all times share the level.
  const gapFrom = (index: number, sums: GapSums): WatchedGap => ({
    ...gapInterval(sums, most, delta * weight * startShare(orders[index] ?? 1)),
    from: seen[index]?.name ?? '',
    rows: sums.weight,
  })
  const overall = gapFrom(0, addUp(entries))
  const since = alarm === undefined ? undefined : changePoint(entries, orders, maxGap)
  const last = seen.at(-1)?.labelled.groups[place][3] ?? 0
  return {
    ...{ group, kind, overall, evidence: powerOfTen(last) },
    ...(alarm !== undefined && {
      alarm: nameOf(labelled, alarm.order),
      side: other === undefined ? alarm.side : 'both',
    }),
    ...(since !== undefined && { since: gapFrom(since.index, since.sums) }),
  }
}

const addUp = (entries: readonly GapSums[]): GapSums =>
  entries.reduce(
    (sum, each) => ({
      weight: sum.weight + each.weight,
      sum: sum.sum + each.sum,
      squares: sum.squares + each.squares,
    }),
    { weight: 0, sum: 0, squares: 0 },
  )

function columnsOf({ batches, driftAlarms, reference }: MonitorData): WatchedColumn[] {
  const counted = batches.filter(({ drift }) => drift !== undefined)
  const last = counted.at(-1)
  return reference.features.map(({ name }, feature) => {
    const alarm = driftAlarms.find(each => each.feature === feature)
    return {
      column: name,
      psi: (last?.drift?.[feature] ?? 0) / 1e6,
      psiByChance: last === undefined ? 0 : chanceIndex(reference, feature, last.rowCount),
      ...(alarm !== undefined && { alarm: counted[alarm.order - 1].name }),
    }
  })
}

function timelineOf({ alarms, batches, reference }: MonitorData): TimelinePoint[] {
  const score = reference.features.length - 1
  return batches.map(({ drift, labelled, name, rowCount }) => {
    const [weight, sum] = labelled?.groups[0] ?? [0, 0]
    return {
      batch: name,
      rows: rowCount,
      ...(labelled !== undefined && {
        gap: weight === 0 ? 0 : fromUnits(sum) / weight,
        evidence: powerOfTen(labelled.evidence),
      }),
      alarms: labelled === undefined ? 0 : alarmedBy(alarms, labelled.order),
      ...(drift !== undefined && { psi: drift[score] / 1e6 }),
    }
  })
}

/** Groups, not alarms: one may have been off both ways. */
const alarmedBy = (alarms: readonly Alarm[], last: number): number =>
  new Set(alarms.flatMap(({ group, kind, order }) => (order <= last ? [`${kind} ${group}`] : []))).size
