// Sums over cells: histograms of features and of pairs, leaves of trees, and moments of signals.

import type { Random } from '../../common/random.ts'
import { ONE } from '../../common/units.ts'
import { leafCount, ROOT } from '../../update/update.ts'
import { checkHistogram, checkJoint, checkLevelSums, checkMoments } from '../answers.ts'
import {
  between,
  chance,
  generateFold,
  generateLevels,
  generateTree,
  indexesTo,
  listOf,
  pick,
  someOf,
} from '../generate.ts'
import { generateRun } from '../generateRun.ts'
import type { Property } from '../property.ts'

const RESOLUTIONS = ['fine', 'coarse'] as const

/** What each level predicts, or nothing. */
const levelValuesOf = (random: Random, levels: number) =>
  chance(random, 3 / 4) && { levelValues: Int32Array.from({ length: levels }, () => between(random, 0, ONE)) }

const everyCell: Property = {
  title: 'sums weight and residual in every [feature, leaf, bin, level] cell',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const { predictions, rows, updates } = run
    await checkHistogram(await open(rows, updates), run, {
      fold: generateFold(random, rows),
      levels: generateLevels(random),
      tree: generateTree(random, rows, 2, predictions),
      features: indexesTo(rows.bins.length).reverse(),
      resolution: pick(random, RESOLUTIONS),
    })
  },
}

const leavesAskedFor: Property = {
  title: 'counts only the leaves asked for, in the order asked, and skips the rows of all others',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const { predictions, rows, updates } = run
    const tree = generateTree(random, rows, 3, predictions)
    await checkHistogram(await open(rows, updates), run, {
      fold: generateFold(random, rows),
      levels: generateLevels(random),
      tree,
      leaves: someOf(random, indexesTo(leafCount(tree)), 0),
      features: indexesTo(rows.bins.length),
      resolution: pick(random, RESOLUTIONS),
    })
  },
}

const levelCuts: Property = {
  title: 'sums features and pairs by levels that end at given cuts, a prediction at a cut lying above it',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit, leastFeatures: 2 })
    const { predictions, rows, updates } = run
    // Cuts at predictions themselves, where it matters on which side they lie.
    const cuts = Int32Array.from(new Set(listOf(random.integer(7), () => pick(random, predictions)))).sort()
    const asked = { fold: generateFold(random, rows), levels: cuts.length + 1, levelCuts: cuts }
    const engine = await open(rows, updates)
    await checkHistogram(engine, run, { ...asked, tree: ROOT, features: [0], resolution: 'fine' })
    await checkJoint(engine, run, { ...asked, pairs: [[1, 0]] })
  },
}

const pairs: Property = {
  title: 'sums every cell of pairs of features, against own or rounded predictions',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit, leastFeatures: 2 })
    const { rows, updates } = run
    const levels = generateLevels(random)
    await checkJoint(await open(rows, updates), run, {
      fold: generateFold(random, rows),
      levels,
      pairs: [[1, 0] as const, [0, 2] as const].slice(0, rows.bins.length - 1),
      ...levelValuesOf(random, levels),
    })
  },
}

const levelSigns: Property = {
  title: 'counts residuals with the signs of their levels, all levels together',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit, leastFeatures: 2 })
    const { rows, updates } = run
    const levels = generateLevels(random)
    const asked = {
      fold: generateFold(random, rows),
      levels: 1,
      levelSigns: Int32Array.from({ length: levels }, () => pick(random, [-1, 1])),
      ...levelValuesOf(random, levels),
    }
    const engine = await open(rows, updates)
    await checkHistogram(engine, run, { ...asked, tree: ROOT, features: [1], resolution: 'coarse' })
    await checkJoint(engine, run, { ...asked, pairs: [[1, 0]] })
  },
}

const leavesOfTrees: Property = {
  title: 'sums every leaf and level of several trees, in either fold',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const { predictions, rows, updates } = run
    const levels = generateLevels(random)
    await checkLevelSums(await open(rows, updates), run, {
      fold: generateFold(random, rows),
      levels,
      trees: listOf(between(random, 1, 3), () => generateTree(random, rows, 2, predictions)),
      ...levelValuesOf(random, levels),
    })
  },
}

const moments: Property = {
  title: 'gives second moments of the signals whose two parts make up the exact sum',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const { rows, updates } = run
    const levels = generateLevels(random)
    await checkMoments(await open(rows, updates), run, {
      fold: generateFold(random, rows),
      levels,
      signals: [1, 0],
      ...levelValuesOf(random, levels),
    })
  },
}

export const SUMS = [everyCell, leavesAskedFor, levelCuts, pairs, levelSigns, leavesOfTrees, moments]
