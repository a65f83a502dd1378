// Evidence for tests: of a score, of a correction, of rare outcomes, of almost no rows, of very much, of hostile names, and of a monitor.

import {
  collectEvidence,
  type Evidence,
  fit,
  type MonitorReport,
  makeTable,
  type Table,
  trees,
} from '@featureboost/core'
import { type MonitorEvidence, makeRandom, monitorEvidence } from '@featureboost/core/internal'

const ROLES = { label: 'y', prediction: 'score' } as const
const QUICK = { bins: 5, coarseBins: 8, draws: 0 } as const

/** Too low for one region; `rate` is the mean outcome, about. */
function people(rows: number, rate = 0.5, names = ['east', 'north', 'south', 'west']): Table {
  const random = makeRandom(5)
  const region = Array.from({ length: rows }, () => names[random.integer(names.length)])
  const truth = region.map(() => rate * (0.6 + 0.8 * random.next()))
  return makeTable({
    region,
    age: truth.map(() => (random.integer(8) === 0 ? null : 20 + random.integer(40))),
    member: truth.map(() => random.next() < 0.3),
    score: truth.map((p, row) => (region[row] === names[0] ? p * 0.6 : p)),
    y: truth.map(p => Number(random.next() < p)),
  })
}

export async function corrected(): Promise<Evidence> {
  const table = people(2400)
  const model = await fit(table, { ...ROLES, auditors: trees({ depth: 2 }), method: 'rounds', roundLimit: 4 })
  return collectEvidence(table, {
    ...QUICK,
    model,
    name: 'people.csv',
    command: 'featureboost report people.csv --model people.fb.json --out report.html',
    includeRows: true,
    comparison: COMPARISON,
  })
}

/** With protected groups. */
export const guarded = (): Promise<Evidence> =>
  collectEvidence(people(2400), { ...QUICK, ...ROLES, protect: ['region'], name: 'guarded.csv' })

const estimate = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 })

const COMPARISON = {
  base: { logLoss: estimate(0.6), auc: estimate(0.7) },
  methods: [
    { method: 'forest', measures: { logLoss: estimate(0.5), auc: estimate(0.8) }, fitSeconds: 1.25 },
    { method: 'platt', measures: { logLoss: estimate(0.55), auc: estimate(0.7) }, fitSeconds: 0.01 },
  ],
  failed: [{ method: 'isotonic', code: 'FB_NO_ROWS' }],
  best: { logLoss: { best: 'forest', ties: ['platt'] }, auc: { best: 'forest', ties: [] } },
  recommendation: { sentence: 'Use forest.' },
}

export const rare = (): Promise<Evidence> =>
  collectEvidence(people(3000, 0.02), { ...QUICK, ...ROLES, name: 'rare.csv' })

export const almostNothing = (): Promise<Evidence> =>
  collectEvidence(people(12), { ...QUICK, ...ROLES, rare: 0.2, name: 'few.csv' })

/** As many groups as are ever listed, with names as long as they ever are. */
export function huge(from: Evidence): Evidence {
  const { parts, segments } = from.segments
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...segments[index % segments.length],
    weight: 1000 + 900 * index,
    parts: [index % 900, (index * 7) % 900],
  }))
  const named = Array.from({ length: 900 }, (_, index) => ({
    ...parts[index % parts.length],
    words: `a column with a rather long name ${index} <= 123456.789 or missing, and so on to the end`,
  }))
  return {
    ...from,
    about: { ...from.about, rowCount: 1e9, auditedCount: 2e8 },
    segments: { ...from.segments, parts: named, segments: many },
  }
}

/** Each of these would set a flag, ask for something or open a dialog, if it were ever taken for markup or for a script. */
export const HOSTILE = [
  '<script>window.pwned=1</script>',
  '</script><script>window.pwned=1;alert(1)</script>',
  '<img src=x onerror="window.pwned=1">',
  '<svg onload="window.pwned=1"><image href="http://127.0.0.1:9/x"/></svg>',
  '"><iframe src="javascript:window.parent.pwned=1">',
  '<!--<script>',
  'javascript:alert(1)',
  '=HYPERLINK("http://127.0.0.1:9","x")',
  '+cmd|calc!A1',
  '@SUM(1)',
  '-1+1',
  '\u202Eevil\u0000\u2028',
]

/** Hostile names of columns, and 5,000 hostile values. */
export async function hostile(): Promise<Evidence> {
  const random = makeRandom(3)
  const rows = 5000
  const score = Array.from({ length: rows }, () => random.next())
  const category = Array.from({ length: rows }, (_, row) => HOSTILE[row % HOSTILE.length])
  const columns: Record<string, (number | string)[]> = {
    [`${HOSTILE[0]} label`]: score.map((p, row) =>
      Number(random.next() < (category[row] === HOSTILE[7] ? p / 3 : p)),
    ),
    [`${HOSTILE[2]} score`]: score,
    unlike: category.map((value, row) => `${value} ${row}`),
  }
  for (const [index, name] of HOSTILE.entries()) columns[name] = index === 1 ? score.map(Math.sqrt) : category
  const roles = { label: `${HOSTILE[0]} label`, prediction: `${HOSTILE[2]} score` }
  const table = makeTable(columns)
  const auditors = trees({ depth: 1 })
  const model = await fit(table, { ...roles, auditors, method: 'rounds', roundLimit: 2, rare: 0.0001 })
  const name = `${HOSTILE[1]}.csv`
  return collectEvidence(table, { ...QUICK, model, name, command: HOSTILE[1], includeRows: true })
}

/** Of a monitor with an alarm in its last batch. */
export function watched(): MonitorEvidence {
  const overall = { gap: 0.02, low: -0.01, high: 0.05, from: 'a', rows: 4000 }
  const since = { gap: 0.11, low: 0.02, high: 0.2, from: 'c', rows: 900 }
  const report: MonitorReport = {
    ...{ modelHash: 'f'.repeat(64), delta: 0.05, maxGap: 0, referenceRows: 9000 },
    ...{ batches: 3, rows: 6000, labelledBatches: 3, labelledRows: 6000, alarm: true, raised: 'c' },
    groups: [
      { group: HOSTILE[0], kind: 'declared', overall, evidence: 5.1, alarm: 'c', side: 'low', since },
      { group: 'everyone', kind: 'everyone', overall, evidence: -0.2 },
    ],
    searched: { groups: 40, columns: ['age', HOSTILE[2]] },
    columns: [
      { column: HOSTILE[2], psi: 0.3, psiByChance: 0.01, alarm: HOSTILE[1] },
      { column: 'corrected score', psi: 0.004, psiByChance: 0.01 },
    ],
    advice: { refit: true, sentence: 'Refit on recent rows: scores are surely too low for some.' },
    timeline: ['a', HOSTILE[1], 'c'].map((batch, index) => ({
      ...{ batch, rows: 2000, gap: 0.01 * index, evidence: index === 2 ? 5 : 0, psi: 0.01 },
      alarms: index === 2 ? 1 : 0,
    })),
  }
  return monitorEvidence(report, { name: 'watch.json', command: HOSTILE[1] })
}
