// docs/planted.md, from the figures: one table for each size and kind of world, and ours against MCGrad.

import { cpus, totalmem } from 'node:os'
import { formatCount } from '@featureboost/core/internal'
import { FRESH_ROWS } from './case.ts'
import { gapRatio, type MethodFigures, type Summary, summarize } from './summary.ts'
import { KINDS } from './world.ts'

export const HEADER = ['method', 'seeds', 'mean gap', 'worst', 'groups off', 'distance^2 x 10^4', 'fit CPU s']

export const lineOf = ({ distance, gap, method, off, seconds, seeds, worst }: Summary): string[] => [
  ...[method, String(seeds), gap.toFixed(4), worst.toFixed(3), off.toFixed(1)],
  ...[(1e4 * distance).toFixed(2), Number.isNaN(seconds) ? '' : seconds.toFixed(2)],
]

interface PageFacts {
  readonly command: string
  readonly threads: number
  /** Seeds whose fresh rows are audited, at most. */
  readonly auditSeeds: number
  readonly versions: Readonly<Record<string, string>>
}

const OURS = 'featureboost, defaults'
const PEER = 'MCGrad, defaults'

export function writePage(
  found: readonly MethodFigures[],
  { auditSeeds, command, threads, versions }: PageFacts,
): string {
  const sizes = [...new Set(found.map(({ rows }) => rows))].sort((a, b) => a - b)
  const parts = sizes
    .flatMap(rows =>
      KINDS.map(kind => ({ rows, kind, own: found.filter(one => one.rows === rows && one.kind === kind) })),
    )
    .filter(({ own }) => own.length > 0)
  return `${[
    '# Planted errors, and what is left of them',
    'This page is written by `bench/planted.ts`; do not edit it by hand.',
    ['<!-- not run: takes hours -->', '```sh', `npx tsx bench/planted.ts ${command}`, '```'].join('\n'),
    `${new Date().toISOString().slice(0, 10)}. ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB; every method had ${threads} ${threads === 1 ? 'thread' : 'threads'}. Node ${process.version.slice(1)}, MCGrad ${versions.MCGrad}, lightgbm ${versions.lightgbm}. Results are kept between runs until settings or versions change, so they are not all necessarily from the same day.`,
    '## The worlds',
    'Four categorical columns (2, 3, 4 and 6 values, uneven) and five normal ones; the score is a logistic function of them, and equals the truth except in six groups that overlap little. *pair*: a group is given by two conditions, 1.5 to 8 % of the rows, and its truth lies 0.06 to 0.11 above or below the score. *flip*: two conditions, 3 to 12 %; the truth lies on one side at scores up to 0.27 and on the other above. *triple*: three conditions, 1.5 to 8 %. *null*: the score is the truth. Defaults were chosen on other seeds than these.',
    `All figures are for ${formatCount(FRESH_ROWS)} fresh rows and are means over seeds. *mean gap*: mean |truth - prediction| over the rows of each planted group, then over groups; *worst*: the same for the worst group. *groups off*: the number of different groups, at most 10, that an audit of the fresh rows with drawn labels finds off by more than noise (p <= 0.05), in the first ${auditSeeds} seeds of each world. *distance^2*: mean of (truth - prediction)^2 over all rows. *fit CPU*: processor time of the fit, summed over all threads; unlike elapsed time it hardly depends on what else the machine is doing.`,
    '## Ours against MCGrad',
    '*ratio*: the mean gap that ours leaves divided by the one that MCGrad leaves, with its standard error over seeds.',
    table(
      [
        'world',
        'rows',
        'seeds',
        'gap, ours',
        'gap, MCGrad',
        'ratio',
        'distance^2, ours',
        'MCGrad',
        'times less CPU',
      ],
      parts.flatMap(({ kind, own, rows }) => against(kind, rows, own)),
    ),
    ...parts.flatMap(({ kind, own, rows }) => [
      `## ${kind}, ${formatCount(rows)} calibration rows`,
      table(HEADER, summarize(own).map(lineOf)),
    ]),
  ].join('\n\n')}\n`
}

/** Of the seeds that both have. */
function against(kind: string, rows: number, own: readonly MethodFigures[]): string[][] {
  const [ours, peer] = [OURS, PEER].map(name => summarize(own).find(({ method }) => method === name))
  if (ours === undefined || peer === undefined || ours.seeds !== peer.seeds) return []
  const [oneByOne, theirs] = [OURS, PEER].map(name => own.filter(({ method }) => method === name))
  const { error, ratio } = gapRatio(oneByOne, theirs)
  const distances = [ours, peer].map(({ distance }) => (1e4 * distance).toFixed(2))
  const times = (peer.seconds / ours.seconds).toFixed(1)
  return [
    [
      kind,
      formatCount(rows),
      String(ours.seeds),
      ours.gap.toFixed(4),
      peer.gap.toFixed(4),
      kind === 'null'
        ? ''
        : ours.seeds === 1
          ? ratio.toFixed(2)
          : `${ratio.toFixed(2)} ± ${error.toFixed(2)}`,
      ...distances,
      times,
    ],
  ]
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}
