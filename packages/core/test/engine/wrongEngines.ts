// Engines that are wrong in one way each, and the case of the conformance suite that is to catch them.

import { ONE } from '../../src/common/units.ts'
import type { CellSums, Engine, EngineRows, FoldLoss, LocalEngine, Outcome } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import type { MakeTestedEngine } from '../../src/testing/index.ts'
import { naiveLeaf, naiveLevel } from '../../src/testing/naive.ts'
import {
  numberLeaves,
  type Split,
  type TableUpdate,
  type Tree,
  type Update,
} from '../../src/update/update.ts'
import { passOn } from '../support/passOn.ts'

/** The reference engine, but for some answers. */
export const wrong =
  (change: (engine: LocalEngine, rows: EngineRows) => Partial<Engine>): MakeTestedEngine =>
  rows => {
    const engine = referenceEngine(rows)
    return { ...passOn(engine), ...change(engine, rows) }
  }

/** The reference engine of other rows than it was given. */
const misread = (change: (rows: EngineRows) => EngineRows): MakeTestedEngine =>
  wrong((engine, rows) => ({ ...passOn(referenceEngine(change(rows))), shape: engine.shape }))

const withoutWeight = ({ weight: _, ...rows }: EngineRows): EngineRows => rows
const withoutFold = ({ fold: _, ...rows }: EngineRows): EngineRows => rows
const byPlace = (rows: EngineRows): EngineRows => ({ ...rows, key: rows.label.map((_, row) => row) })

/** One unit after equal levels begin: what begins a level falls into the one below. */
const lateCuts = (levels: number): Int32Array =>
  Int32Array.from({ length: levels - 1 }, (_, level) => Math.ceil(((level + 1) * ONE) / levels) + 1)

const in32Bits = <T extends CellSums>(sums: T): T => ({
  ...sums,
  counts: sums.counts.map(sum => sum | 0),
  residuals: sums.residuals.map(sum => sum | 0),
})

function mapSplits(tree: Tree, change: (split: Split) => Split): Tree {
  if ('leaf' in tree) return tree
  return { split: change(tree.split), yes: mapSplits(tree.yes, change), no: mapSplits(tree.no, change) }
}

const missingElsewhere = (split: Split): Split =>
  split.kind === 'atMost' ? { ...split, missing: !split.missing } : split

const oneHigher = (split: Split): Split =>
  split.kind === 'below' ? { ...split, units: split.units + 1 } : split

const mapOutcome = <T extends { outcome?: Outcome }>(request: T, change: object): T => ({
  ...request,
  ...(request.outcome && { outcome: { ...request.outcome, ...change } }),
})

async function unclipped(engine: LocalEngine, rows: EngineRows, update: TableUpdate): Promise<FoldLoss[]> {
  const { levels, tree, values } = update
  const start = (await engine.snapshot()).map((prediction, row) => {
    const leaf = naiveLeaf(tree, rows, row, prediction)
    return prediction + values[leaf * levels + naiveLevel(prediction, levels)]
  })
  return referenceEngine({ ...rows, start }).losses()
}

const mapUpdates = (change: (update: Update) => object): MakeTestedEngine =>
  wrong(engine => ({ apply: update => engine.apply(change(update) as Update) }))

const stayBy = (kind: Update['kind']): MakeTestedEngine =>
  wrong(engine => ({
    apply: update => (update.kind === kind ? engine.evaluate(update) : engine.apply(update)),
  }))

const mapLosses = (change: (loss: FoldLoss) => Partial<FoldLoss>): MakeTestedEngine =>
  wrong(engine => ({
    losses: async () => (await engine.losses()).map(loss => ({ ...loss, ...change(loss) })),
  }))

/** By the beginning of the case's title: what it catches. */
export const WRONG_ENGINES: Record<string, Record<string, MakeTestedEngine>> = {
  'sums weight and residual': {
    'puts the first prediction of a level into the level below': wrong(engine => ({
      histogram: request => engine.histogram({ ...request, levelCuts: lateCuts(request.levels) }),
    })),
    'ignores weights': misread(withoutWeight),
    'ignores folds': misread(withoutFold),
    'answers about features in their own order': wrong(engine => ({
      histogram: request => engine.histogram({ ...request, features: request.features.toSorted() }),
    })),
    'counts fine bins only': wrong(engine => ({
      histogram: request => engine.histogram({ ...request, resolution: 'fine' }),
    })),
    'sums in 32 bits': wrong(engine => ({
      histogram: async request => in32Bits(await engine.histogram(request)),
    })),
    'counts missing values on the wrong side': wrong(engine => ({
      histogram: request => engine.histogram({ ...request, tree: mapSplits(request.tree, missingElsewhere) }),
    })),
    'says that it has no folds': wrong(engine => ({ shape: { ...engine.shape, foldCount: 1 } })),
    'does not count the missing bin': wrong(({ shape }) => ({
      shape: { ...shape, binCounts: shape.binCounts.map(count => count - 1) },
    })),
    'leaves room after its sums': wrong(engine => ({
      histogram: async request => {
        const { counts, residuals, ...rest } = await engine.histogram(request)
        return { ...rest, counts, residuals: Float64Array.of(...residuals, 0) }
      },
    })),
  },
  'counts only the leaves asked for': {
    'answers about leaves in their own order': wrong(engine => ({
      histogram: request => engine.histogram({ ...request, leaves: request.leaves!.toSorted() }),
    })),
    'answers about all leaves': wrong(engine => ({
      histogram: ({ leaves: _, ...request }) => engine.histogram(request),
    })),
  },
  'sums features and pairs by levels that end': {
    'puts a prediction at a cut below it: features': wrong(engine => ({
      histogram: request =>
        engine.histogram({ ...request, levelCuts: request.levelCuts!.map(cut => cut + 1) }),
    })),
    'puts a prediction at a cut below it: pairs': wrong(engine => ({
      jointHistogram: request =>
        engine.jointHistogram({ ...request, levelCuts: request.levelCuts!.map(cut => cut + 1) }),
    })),
  },
  'sums every cell of pairs': {
    'turns pairs round': wrong(engine => ({
      jointHistogram: request =>
        engine.jointHistogram({ ...request, pairs: request.pairs.map(([a, b]) => [b, a] as const) }),
    })),
    'ignores the values of levels: pairs': wrong(engine => ({
      jointHistogram: ({ levelValues: _, ...request }) => engine.jointHistogram(request),
    })),
  },
  'counts residuals with the signs': {
    'ignores the signs of levels: features': wrong(engine => ({
      histogram: ({ levelSigns: _, ...request }) => engine.histogram(request),
    })),
    'ignores the signs of levels: pairs': wrong(engine => ({
      jointHistogram: ({ levelSigns: _, ...request }) => engine.jointHistogram(request),
    })),
    'ignores the values of levels: features': wrong(engine => ({
      histogram: ({ levelValues: _, ...request }) => engine.histogram(request),
    })),
  },
  'sums every leaf and level': {
    'answers about the first fold only': wrong(engine => ({
      levelSums: request => engine.levelSums({ ...request, fold: 0 }),
    })),
    'answers about the first tree only': wrong(engine => ({
      levelSums: async request => (await engine.levelSums(request)).slice(0, 1),
    })),
    'gives every leaf a number of its own': wrong(engine => ({
      levelSums: request => engine.levelSums({ ...request, trees: request.trees.map(numberLeaves) }),
    })),
    'puts a prediction at a split on the wrong side': wrong(engine => ({
      levelSums: request =>
        engine.levelSums({ ...request, trees: request.trees.map(tree => mapSplits(tree, oneHigher)) }),
    })),
    'ignores the values of levels: leaves': wrong(engine => ({
      levelSums: ({ levelValues: _, ...request }) => engine.levelSums(request),
    })),
    'sums weights in the place of predictions': wrong(engine => ({
      levelSums: async request =>
        (await engine.levelSums(request)).map(sums => ({ ...sums, predictions: sums.counts })),
    })),
  },
  'gives second moments': {
    'gives the moments of another level': wrong(engine => ({
      moments: async request => (await engine.moments(request)).reverse(),
    })),
    'forgets the last level': wrong(engine => ({
      moments: async request => (await engine.moments(request)).slice(0, -1),
    })),
    'gives signals in their own order': wrong(engine => ({
      moments: request => engine.moments({ ...request, signals: request.signals.toSorted() }),
    })),
    'ignores the values of levels: moments': wrong(engine => ({
      moments: ({ levelValues: _, ...request }) => engine.moments(request),
    })),
    'drops the lower part of a sum': wrong(engine => ({
      moments: async request =>
        (await engine.moments(request)).map(moment => ({
          ...moment,
          gram: moment.gram.map(({ high }) => ({ high, low: 0 })),
        })),
    })),
  },
  'puts a drawn label': {
    'ignores what stands for the label': wrong(engine => ({
      histogram: ({ outcome: _, ...request }) => engine.histogram(request),
    })),
    'draws the same every time': wrong(engine => ({
      histogram: request => engine.histogram(mapOutcome(request, { draw: 0 })),
    })),
    'draws by the place of a row, not by its key': misread(byPlace),
    'lets hard predictions leave nothing to chance': wrong(engine => ({
      levelSums: request => engine.levelSums(mapOutcome(request, { noise: 'labels' })),
    })),
    'puts labels against their predictions, not against their chances': wrong(engine => ({
      levelSums: ({ outcome, ...request }) =>
        engine.levelSums(outcome?.kind === 'centred' ? request : { ...request, ...(outcome && { outcome }) }),
    })),
    'does not divide squared weights': wrong(engine => ({
      levelSums: request => engine.levelSums(mapOutcome(request, { shift: 0 })),
    })),
    'ignores what stands for the label of pairs': wrong(engine => ({
      jointHistogram: ({ outcome: _, ...request }) => engine.jointHistogram(request),
    })),
  },
  'follows the predictions': {
    'remembers an answer for too long': wrong(engine => {
      let remembered: ReturnType<Engine['levelSums']> | undefined
      return {
        levelSums: request => {
          remembered ??= engine.levelSums(request)
          return remembered
        },
      }
    }),
    'does nothing to begin anew': wrong(() => ({ reset: async () => {} })),
  },
  'draws nothing for rows without keys': {
    'takes all keys for the same': misread(rows => ({ key: new Int32Array(rows.rowCount), ...rows })),
    'gives no reason': wrong(() => ({ levelSums: () => Promise.reject('no') })),
  },
  'moves every prediction': {
    'forgets to clip': wrong((engine, rows) => ({
      evaluate: update =>
        update.kind === 'table' ? unclipped(engine, rows, update) : engine.evaluate(update),
    })),
    'moves when it is to evaluate': wrong(engine => ({ evaluate: update => engine.apply(update) })),
    'moves when it is to evaluate, and shows no rows': wrong(engine => ({
      evaluate: update => engine.apply(update),
      snapshot: undefined as never,
    })),
    'does not move': wrong(engine => ({ apply: update => engine.evaluate(update) })),
    'does not go back to the start, and shows no rows': wrong(() => ({
      reset: async () => {},
      snapshot: undefined as never,
    })),
    'does not multiply the logits of a forest': mapUpdates(update => ({ ...update, scale: undefined })),
    'adds the steps of a forest to logits only': mapUpdates(update => ({ ...update, link: undefined })),
    'does not move by tables': stayBy('table'),
    'does not move by signals': stayBy('linear'),
    'does not move by forests': stayBy('forest'),
    'does not move along curves': stayBy('curve'),
    'does not move by polynomials': stayBy('polynomial'),
    'knows one fold only': wrong(engine => ({ losses: async () => (await engine.losses()).slice(0, 1) })),
    'squares the weight of all rows': mapLosses(({ weight }) => ({ squaredWeight: weight ** 2 })),
    'loses a part of the loss': mapLosses(({ squares }) => ({ squares: { ...squares, low: 0 } })),
    'answers with a loss that is no whole number': mapLosses(({ squares: { high, low } }) => ({
      squares: { high: high + low / ONE, low: 0 },
    })),
    'counts no weight': mapLosses(() => ({ weight: 1 })),
    'shows where predictions began': wrong((_, rows) => ({ snapshot: async () => rows.start })),
  },
  'refuses questions after': {
    'answers when it is closed': wrong(() => ({ close: async () => {} })),
    'fails without a code when it is closed': wrong(engine => ({
      fingerprint: () => engine.fingerprint().catch(() => Promise.reject(new Error('closed'))),
    })),
    'can be closed once only': wrong(engine => {
      let closed = false
      return {
        close: async () => {
          if (closed) throw new Error('closed already')
          closed = true
          await engine.close()
        },
      }
    }),
  },
  'gives a sample': {
    'samples by the place of a row, not by its key': misread(byPlace),
    'samples predictions as they are now': wrong((engine, rows) => ({
      sample: async request => referenceEngine({ ...rows, start: await engine.snapshot() }).sample(request),
    })),
    'samples rows that are held out': wrong((_, rows) => ({
      sample: request => referenceEngine(withoutFold(rows)).sample(request),
    })),
    'samples without weights': wrong((_, rows) => ({
      sample: request => referenceEngine(withoutWeight(rows)).sample(request),
    })),
    'samples all rows': wrong(engine => ({
      sample: ({ parts }) => engine.sample({ parts, rowLimit: 100 }),
    })),
    'deals into two parts': wrong(engine => ({
      sample: ({ rowLimit }) => engine.sample({ rowLimit, parts: 2 }),
    })),
  },
  'has a fingerprint': {
    'has a fingerprint that depends on the order': wrong((engine, { label }) => ({
      fingerprint: async () => `${await engine.fingerprint()} ${label[0]}`,
    })),
    'has a fingerprint of where predictions stand': wrong((engine, rows) => ({
      fingerprint: async () => referenceEngine({ ...rows, start: await engine.snapshot() }).fingerprint(),
    })),
    'has the same fingerprint for all rows': wrong(() => ({ fingerprint: async () => 'rows' })),
    'has a fingerprint without start predictions': wrong((_, rows) => ({
      fingerprint: () => referenceEngine({ ...rows, start: new Int32Array(rows.rowCount) }).fingerprint(),
    })),
    'has a fingerprint without signals': wrong((_, rows) => ({
      fingerprint: () => referenceEngine({ ...rows, signals: [] }).fingerprint(),
    })),
    'has a fingerprint without folds': wrong((_, rows) => ({
      fingerprint: () => referenceEngine(withoutFold(rows)).fingerprint(),
    })),
  },
  'counts a weight of two': {
    'counts a row once whatever it weighs': misread(withoutWeight),
    'has a fingerprint without weights': wrong((_, rows) => ({
      fingerprint: () => referenceEngine(withoutWeight(rows)).fingerprint(),
    })),
  },
}
