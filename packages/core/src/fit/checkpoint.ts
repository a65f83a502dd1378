// From the checkpoint of a fit to the rounds of its stages. Entries are checked like a model file: what a store gives back may
// have been changed in the meantime.

import type { Kept, RunIdentity } from '../boost/checkpoint.ts'
import type { StageLog } from '../boost/stages.ts'
import type { Round } from '../boost/trace.ts'
import { type Difference, findDifferences } from '../certify/differences.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { sha256 } from '../common/hash.ts'
import { formatCount } from '../common/text.ts'
import { VERSION } from '../common/version.ts'
import { showValue } from '../data/column.ts'
import { type Engine, FIT } from '../engine/engine.ts'
import type { ForestLog } from '../forest/growForest.ts'
import type { PartForest } from '../forest/growParts.ts'
import { canonicalJson } from '../model/json.ts'
import {
  byKind,
  entriesOf,
  flag,
  listOf,
  oneOf,
  real,
  record,
  type Shape,
  text,
  whole,
} from '../model/shape.ts'
import { readForestTree, readRoundUpdate } from '../model/updates.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { ROOT } from '../update/update.ts'
import type { Settings } from './settings.ts'

/** The rounds of a stage, and forests. */
export interface KeptWork {
  readonly rounds: (stage: string) => StageLog
  readonly forests: ForestLog
}

/** Undefined where the fit keeps nothing. */
export async function openKept(
  engine: Engine,
  encoding: Encoding,
  settings: Settings,
): Promise<KeptWork | undefined> {
  const store = settings.checkpoint
  if (store === undefined) return undefined
  const identity = await identityOf(engine, encoding, settings)
  const entries = (await store.load()).map(readEntry)
  if (entries.length > 0) checkIdentity(readIdentity(entries[0].kept), identity)
  const chain = new ProofChain(await keyOf(engine, identity))
  for (const [index, { kept, proof }] of entries.entries()) {
    if (chain.next(kept) !== proof && store.inProcess !== true)
      throw damaged(`entry ${index + 1} was not written by this fit.`)
  }
  const save = (kept: Kept) => store.save({ ...kept, proof: chain.next(kept) })
  if (entries.length === 0) await save({ kind: 'run', identity })
  const { forests, stages } = readWork(
    entries.slice(1).map(({ kept }) => kept),
    encoding,
  )
  return {
    rounds: name => ({
      name,
      done: stages.get(name) ?? [],
      save: round => save({ kind: 'round', stage: name, round }),
    }),
    forests: { done: forests, save: forest => save({ kind: 'forest', ...forest }) },
  }
}

interface ReadEntry {
  readonly kept: Readonly<Record<string, unknown>>
  readonly proof: unknown
}

function readEntry(entry: unknown, index: number): ReadEntry {
  const { proof, ...kept } = reading(() => entriesOf(entry, `entry ${index + 1}`))
  return { kept, proof }
}

/**
 * What entries are proven with: sums over the rows that are nowhere written down. What is kept cannot all be computed again, or nothing
 * would be gained by keeping it; but nobody without the rows can write an entry that is taken for one of ours.
 */
async function keyOf(engine: Engine, identity: RunIdentity): Promise<string> {
  const features = engine.shape.binCounts.map((_, feature) => feature)
  const { counts, residuals } = await engine.histogram({
    fold: FIT,
    levels: 1,
    tree: ROOT,
    features,
    resolution: 'fine',
  })
  const losses = await engine.losses()
  return sha256(canonicalJson({ identity, losses, counts: [...counts], residuals: [...residuals] }))
}

/** Each proof covers its entry, all before it, and the key, which stands at either end: a proof cannot be lengthened. */
class ProofChain {
  readonly #key: string
  #last = ''

  constructor(key: string) {
    this.#key = key
  }

  next(kept: Kept | ReadEntry['kept']): string {
    this.#last = sha256(`${this.#key} ${this.#last} ${canonicalJson(kept)} ${this.#key}`)
    return this.#last
  }
}

/** All settings count, except those that cannot change the model. Functions are known by their values, in the fingerprint. */
async function identityOf(engine: Engine, encoding: Encoding, settings: Settings): Promise<RunIdentity> {
  const {
    baseline,
    checkpoint,
    engine: _,
    onGroup,
    onPhase,
    onRound,
    onStep,
    onTree,
    onWarning,
    quantize,
    recorded,
    roles,
    signal,
    threads,
    words,
    ...rest
  } = settings
  const { bins: featureBins, ...bins } = quantize
  return JSON.parse(
    JSON.stringify({
      version: VERSION,
      rows: { rowCount: engine.shape.rowCount, fingerprint: await engine.fingerprint() },
      columns: sha256(canonicalJson(encoding)),
      options: { ...roles, ...words, featureBins, ...bins, ...rest },
    }),
  ) as RunIdentity
}

function checkIdentity(kept: unknown, now: RunIdentity): void {
  const differences = findDifferences(kept, now)
  if (differences.length === 0) return
  throw new FeatureBoostError(
    'FB_CHECKPOINT_OTHER',
    `the checkpoint is of another fit: ${inWords(differences).join('; ')}.`,
    {
      found: differences,
      hint: 'Continue with the data and the options it was made with, or start without it.',
    },
  )
}

/** Options by name; rows and columns as wholes, because nobody compares fingerprints by eye. */
function inWords(differences: readonly Difference[]): string[] {
  const of = (part: string) => differences.filter(({ path }) => path.split('.')[0] === part)
  const told = ({ found, path, stated }: Difference) =>
    `${path.replace(/^options\./, '')} was ${showSetting(stated)} and is ${showSetting(found)}`
  const options = [...of('version'), ...of('options')].map(told)
  const rows = of('rows')
  const counts = rows.find(({ path }) => path === 'rows.rowCount')
  if (counts !== undefined)
    return [...options, `there were ${showCount(counts.stated)} rows and are ${showCount(counts.found)}`]
  if (rows.length > 0) return [...options, 'the rows hold other values']
  return of('columns').length > 0 ? [...options, 'the columns have other names or values'] : options
}

const showCount = (value: unknown): string =>
  typeof value === 'number' ? formatCount(value) : showValue(value)

const showSetting = (value: unknown): string =>
  value === undefined
    ? 'not set'
    : typeof value === 'object'
      ? JSON.stringify(value).slice(0, 120)
      : showValue(value)

const readIdentity = (entry: unknown): unknown =>
  reading(
    () => record({ kind: oneOf('run'), identity: (value: unknown) => value })(entry, 'entry 1').identity,
  )

function readWork(entries: readonly unknown[], encoding: Encoding) {
  const shape = byKind<RoundEntry | ForestEntry>({
    round: roundShape(encoding),
    forest: forestShape(encoding),
  })
  const stages = new Map<string, Round[]>()
  const forests = new Map<number, PartForest>()
  for (const [index, entry] of entries.entries()) {
    const kept = reading(() => shape(entry, `entry ${index + 2}`))
    if (kept.kind === 'forest') {
      if (forests.has(kept.part)) throw damaged(`part ${kept.part} is kept twice.`)
      forests.set(kept.part, kept)
      continue
    }
    const { round, stage } = kept
    const rounds = stages.get(stage) ?? []
    rounds.push(round)
    stages.set(stage, rounds)
    if (round.round !== rounds.length)
      throw damaged(`round ${round.round} of ${stage} stands where round ${rounds.length} should be.`)
  }
  return { forests, stages }
}

type RoundEntry = Extract<Kept, { kind: 'round' }>
type ForestEntry = Extract<Kept, { kind: 'forest' }>

const roundShape = (encoding: Encoding): Shape<RoundEntry> =>
  record({
    kind: oneOf('round'),
    stage: text,
    round: record(
      {
        round: whole(1, Number.MAX_SAFE_INTEGER),
        losses: listOf(real),
        drop: real,
        gain: real,
        accepted: flag,
        words: text,
        update: (update, path) => readRoundUpdate(update, path, encoding),
      },
      { slack: real, leastDrop: real },
    ) as Shape<Round>,
  })

const forestShape = (encoding: Encoding): Shape<ForestEntry> =>
  record({
    kind: oneOf('forest'),
    part: whole(0, 255),
    losses: listOf(real),
    trees: listOf((tree, path) => readForestTree(tree, path, encoding)),
  })

/** What is no well-formed model part is no well-formed part of a checkpoint. */
function reading<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw damaged((error as Error).message)
  }
}

const damaged = (message: string): FeatureBoostError =>
  new FeatureBoostError('FB_CHECKPOINT_DAMAGED', message, { hint: 'Start without the checkpoint.' })
