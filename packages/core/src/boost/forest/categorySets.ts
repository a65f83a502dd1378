// Which categories take the yes side, by the rules of LightGBM: few of them one by one; many in the order of their mean
// gradient, from either end, with a ridge of their own. Its counts of rows are estimates from second derivatives, and so
// are these.

export interface CategoryRules {
  /** Added to the ridge wherever sets are tried: to gains and to the steps of both leaves. */
  readonly ridge: number
  /** Added to second derivatives where categories are put in order; with fewer rows a category stays on the no side. */
  readonly smooth: number
  /** Rows that join between two tries, and that stay on the no side. */
  readonly leastRows: number
  /** Categories of one set, at most. */
  readonly most: number
  /** With at most so many bins, the missing one among them, every category is tried alone. */
  readonly fewBins: number
}

/** What LightGBM does unless told otherwise. */
export const LIGHTGBM_CATEGORIES: CategoryRules = {
  ridge: 10,
  smooth: 10,
  leastRows: 100,
  most: 32,
  fewBins: 4,
}

/** Sums are whole numbers in the units of the caller; `unit` is one second derivative in them. */
export interface CategoryNode {
  readonly first: number
  readonly second: number
  readonly rows: number
  readonly ridge: number
  /** The least second derivative on either side. */
  readonly least: number
  readonly unit: number
}

export interface CategorySet {
  /** Over leaving the node as it is, in the units of first^2 / second. */
  readonly gain: number
  readonly bins: readonly number[]
  /** Of the leaves that it makes. */
  readonly ridge: number
}

/** `sums` are pairs, from `at` on one for each bin; the last bin is the missing one, which always takes the no side. */
export function findCategorySet(
  sums: Float64Array,
  at: number,
  bins: number,
  node: CategoryNode,
  rules: CategoryRules,
): CategorySet | undefined {
  return bins <= rules.fewBins ? findSingle(sums, at, bins, node) : findSet(sums, at, bins, node, rules)
}

function findSingle(
  sums: Float64Array,
  at: number,
  bins: number,
  node: CategoryNode,
): CategorySet | undefined {
  let best: CategorySet | undefined
  for (let bin = 0; bin < bins - 1; bin++) {
    const [first, second] = [sums[at + 2 * bin], sums[at + 2 * bin + 1]]
    if (second < node.least || node.second - second < node.least) continue
    const gain = gainOf(first, second, node, node.ridge)
    if (gain > (best?.gain ?? 0)) best = { gain, bins: [bin], ridge: node.ridge }
  }
  return best
}

function findSet(
  sums: Float64Array,
  at: number,
  bins: number,
  node: CategoryNode,
  rules: CategoryRules,
): CategorySet | undefined {
  const secondPerRow = node.second / node.rows
  const known = orderCategories(sums, at, bins, rules.smooth * node.unit, rules.smooth * secondPerRow)
  const most = Math.min(rules.most, (known.length + 1) >> 1)
  const ridge = node.ridge + rules.ridge * node.unit
  const leastJoined = rules.leastRows * secondPerRow
  let [gainMost, count, backwards] = [0, 0, false]
  for (const turned of [false, true]) {
    let [first, second, joined] = [0, 0, 0]
    for (let index = 0; index < most; index++) {
      const cell = at + 2 * known[turned ? known.length - 1 - index : index]
      first += sums[cell]
      second += sums[cell + 1]
      joined += sums[cell + 1]
      if (second < node.least) continue
      if (node.second - second < Math.max(node.least, leastJoined)) break
      if (joined < leastJoined) continue
      joined = 0
      const gain = gainOf(first, second, node, ridge)
      if (gain <= gainMost) continue
      gainMost = gain
      count = index + 1
      backwards = turned
    }
  }
  if (count === 0) return undefined
  return { gain: gainMost, bins: backwards ? known.slice(-count) : known.slice(0, count), ridge }
}

/** By their mean gradient; those with too few rows are left out. */
function orderCategories(
  sums: Float64Array,
  at: number,
  bins: number,
  smooth: number,
  least: number,
): number[] {
  const known: number[] = []
  for (let bin = 0; bin < bins - 1; bin++) if (sums[at + 2 * bin + 1] >= least) known.push(bin)
  const slope = (bin: number) => sums[at + 2 * bin] / (sums[at + 2 * bin + 1] + smooth)
  // LightGBM's gradients have the other sign.
  return known.sort((a, b) => slope(b) - slope(a) || a - b)
}

/** Both leaves with this ridge, against the node with its own. */
function gainOf(first: number, second: number, node: CategoryNode, ridge: number): number {
  const [other, rest] = [node.first - first, node.second - second]
  const whole = (node.first * node.first) / (node.second + node.ridge)
  return (first * first) / (second + ridge) + (other * other) / (rest + ridge) - whole
}
