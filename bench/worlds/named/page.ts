// The page of the named worlds, and slacks as JSON that two revisions can be set side by side with.

import { execFileSync } from 'node:child_process'
import { SELDOM } from './chance.ts'
import { type Counted, isTooMany, missedPromises, type NamedFigures } from './figures.ts'
import { AUDITED, CONFIDENCE, FITTED } from './run.ts'
import { NAMED, type NamedWorld } from './worlds.ts'

export interface Slacks {
  /** The last commit that touched packages/core/src/certify. */
  readonly revision: string
  readonly date: string
  readonly draws: number
  readonly seed: number
  readonly worlds: Readonly<
    Record<string, Pick<NamedFigures, 'draws'> & { multicalibration: SlackFigures; levelSet: SlackFigures }>
  >
}

interface SlackFigures {
  readonly truth: number
  readonly measured: number
  readonly slack: number
  readonly bound: number
  readonly violations: number
}

export function slacksOf(figures: readonly NamedFigures[], seed: number): Slacks {
  const digits = (value: number) => Number(value.toFixed(4))
  const brief = ({ bound, measured, slack, truth, violations }: NamedFigures['levelSet']): SlackFigures => ({
    ...{ truth: digits(truth), measured: digits(measured), slack: digits(slack), bound: digits(bound) },
    violations: violations.count,
  })
  return {
    revision: certifyRevision(),
    date: today(),
    draws: figures[0].draws,
    seed,
    worlds: Object.fromEntries(
      figures.map(({ draws, levelSet, multicalibration, world }) => [
        world,
        { draws, multicalibration: brief(multicalibration), levelSet: brief(levelSet) },
      ]),
    ),
  }
}

const certifyRevision = (): string =>
  execFileSync('git', ['log', '-1', '--format=%h', '--', 'packages/core/src/certify'], {
    encoding: 'utf8',
  }).trim()

const today = (): string => new Date().toISOString().slice(0, 10)

/** Figures stand to the right, words to the left. */
const table = (header: readonly string[], rows: readonly (readonly string[])[], words = [0]): string =>
  [header, header.map((_, column) => (words.includes(column) ? '---' : '--:')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

const marked = (counted: Counted, text: string): string => (isTooMany(counted) ? `**${text}**` : text)
const share = (counted: Counted): string => marked(counted, (counted.count / counted.of).toFixed(3))
const count = (counted: Counted): string => marked(counted, String(counted.count))
const number = (value: number): string => value.toFixed(3)

export function pageOf(
  figures: readonly NamedFigures[],
  { before, command, seed }: { before: Slacks | undefined; command: string; seed: number },
): string {
  const { draws } = figures[0]
  const missed = missedPromises(figures)
  const allowed = figures[0].multicalibration.violations.allowed
  return `# Checked against the truth

Worlds whose truth is known, chosen because bounds and p-values easily go wrong there. In each, a table is drawn ${draws} times. Each
table is searched for its worst groups, as an audit does, and a model is fitted to it; what is said is then checked against the population.

Written by \`${command}\` on ${today()} (seed ${seed}, certificates of revision ${certifyRevision()}); do not edit.
Bold: more often than chance alone allows (an exact binomial limit, which chance exceeds once in ${1 / SELDOM} times).

${missed.length === 0 ? 'Everything that is promised held.' : `What is promised and did not hold: ${missed.join('; ')}.`}

## The worlds

${table(
  ['world', 'rows', 'what is in it'],
  NAMED.filter(({ name }) => figures.some(({ world }) => world === name)).map(
    ({ copies = 1, name, rows, words }) => [name, String(rows * copies), words],
  ),
  [0, 2],
)}

The score is right in all of them (hard scores are wrong at the same rate everywhere), so no p-value should be small. Models are fitted with
\`method: 'rounds'\`, \`roundLimit: ${FITTED.roundLimit}\`, \`holdout: ${FITTED.holdout}\`, ${FITTED.bins} bins and all trees of depth 2. Few rows and two
rounds fit noise, so their true errors are not small.

## Bounds for new rows

The held-out bounds of a certificate at confidence ${CONFIDENCE}: one in ${Math.round(1 / (1 - CONFIDENCE))} certificates may be false; of ${draws}, by chance, up to ${allowed}.
Truth, measured, slack and bound are means over draws; the truth is the worst error over all trees, found by enumeration.

${table(
  [
    'world',
    'false: multicalibration',
    'truth',
    'measured',
    'slack',
    'bound',
    'false: level sets',
    'truth',
    'bound',
    'promised',
  ],
  figures.map(({ levelSet, multicalibration: { bound, measured, slack, truth, violations }, world }) => [
    world,
    count(violations),
    ...[truth, measured, slack, bound].map(number),
    count(levelSet.violations),
    number(levelSet.truth),
    number(levelSet.bound),
    worldOf(world).noBound ?? 'yes',
  ]),
  [0, 9],
)}

${besides(figures, before)}
## P-values and intervals of audits

The shares of p-values up to 0.05 and up to 0.2; the most by which the share of p-values up to any p exceeds p, and a limit that chance
alone hardly exceeds (Kolmogorov, one-sided); how often the interval of the worst group missed its true gap, and how often that of any
listed group did (at most ${number(1 - CONFIDENCE)}). Audits with ${AUDITED.bins} levels, ${AUDITED.coarseBins} bins a column, trees of depth 2 and ${AUDITED.draws} draws of the noise.

${table(
  ['world', 'p <= 0.05', 'p <= 0.2', 'excess', 'by chance', 'worst group missed', 'any missed', 'promised'],
  figures.map(({ missed: { any, worst }, pValues: { kolmogorov, upTo }, world }) => [
    world,
    ...upTo.map(share),
    kolmogorov.distance > kolmogorov.limit
      ? `**${number(kolmogorov.distance)}**`
      : number(kolmogorov.distance),
    number(kolmogorov.limit),
    share(worst),
    share(any),
    worldOf(world).noPValue ?? 'yes',
  ]),
  [0, 7],
)}

P-values far below their share are conservative: labels between 0 and 1 vary less than the labels of 0 and 1 that are drawn in their
place (decision [0019](decisions/0019-labels-between-0-and-1.md)).
`
}

const worldOf = (name: string): NamedWorld => NAMED.find(world => world.name === name)!

/** Slacks of two revisions, where they are two. */
function besides(figures: readonly NamedFigures[], before: Slacks | undefined): string {
  if (before === undefined || before.revision === certifyRevision()) return ''
  return `Compared with revision ${before.revision} (\`bench/worlds/before.json\`, ${before.draws} draws):

${table(
  ['world', 'false before', 'now', 'slack before', 'now', 'bound before', 'now'],
  figures.flatMap(({ multicalibration: now, world }) => {
    const old = before.worlds[world]?.multicalibration
    if (old === undefined) return []
    return [
      [
        world,
        String(old.violations),
        count(now.violations),
        ...[old.slack, now.slack, old.bound, now.bound].map(number),
      ],
    ]
  }),
)}
`
}
