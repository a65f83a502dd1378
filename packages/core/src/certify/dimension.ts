// How rich the class of all boosted predictors is: parameters and operations counted one by one, and the
// pseudodimension that follows (the paper's section 7.5 and THEORY section 6(a), with a number for every O(1)).
// Anthony and Bartlett's Theorem 8.4 takes a comparison and the jump on it as one operation; thresholds and clips
// count them as two here, on the safe side.

/** W real parameters and k operations: a (W,k) bounded arithmetic-comparison evaluation (Definition 7.11). */
export interface EvaluationSize {
  readonly parameters: number
  readonly operations: number
}

/** Two comparisons and two jumps keep a value in [0,1]. */
const CLIP_OPERATIONS = 4

/** q multiplications, q - 1 additions, one comparison and one jump: a general linear threshold stands for a split. */
const thresholdOperations = (features: number): number => 2 * features + 1

/** q weights and one threshold for each of the 2^depth - 1 inner nodes. */
const splitParameters = (depth: number, features: number): number => (2 ** depth - 1) * (features + 1)

/** Lemma 7.15: a tree of the given depth. One root-to-leaf path is walked, then one operation puts out the leaf's value. */
export function treeSize(depth: number, features: number): EvaluationSize {
  return {
    parameters: splitParameters(depth, features) + 2 ** depth,
    operations: depth * thresholdOperations(features) + 1,
  }
}

/** Lemma 7.16: K cell values; K - 1 comparisons with the fixed cuts and one selection. */
export function binFunctionSize(bins: number): EvaluationSize {
  return { parameters: bins, operations: bins }
}

/** Lemma 7.17: clip(z + eta b(x) c(z)). eta is one parameter more; b*c, times eta, plus z are three operations. */
export function clippedUpdateSize(tree: EvaluationSize, binFunction: EvaluationSize): EvaluationSize {
  return {
    parameters: tree.parameters + binFunction.parameters + 1,
    operations: tree.operations + binFunction.operations + 3 + CLIP_OPERATIONS,
  }
}

/**
 * clip(z + g(leaf(x), bin(z))): each leaf has a value for each bin. The walk ends at a leaf without putting anything
 * out; the selection of the bin there does that, and one addition follows.
 */
export function tableUpdateSize(depth: number, features: number, bins: number): EvaluationSize {
  return {
    parameters: splitParameters(depth, features) + 2 ** depth * bins,
    operations: depth * thresholdOperations(features) + bins + 1 + CLIP_OPERATIONS,
  }
}

/** Lemma 7.18: the accepted rounds and the rejected last one, so rounds + 1 updates on top of the initial predictor. */
export function unrolledSize(
  initial: EvaluationSize,
  update: EvaluationSize,
  rounds: number,
): EvaluationSize {
  return {
    parameters: initial.parameters + (rounds + 1) * update.parameters,
    operations: initial.operations + (rounds + 1) * update.operations,
  }
}

/**
 * Pdim <= 4W(k + 3): Anthony and Bartlett's Theorem 8.4, VCdim < 4W(k' + 2), for the subgraph class 1(g(x) >= s) with
 * k' = k + 1 (Lemma 7.12). The final output of 0 or 1 takes the place of the output of g(x), which k already counts.
 */
export function pseudodimensionBound({ parameters, operations }: EvaluationSize): number {
  return 4 * parameters * (operations + 3)
}
