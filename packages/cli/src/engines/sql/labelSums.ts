// Three sums of the rows of a cell, from which every residual against a value or a prediction follows.

/** Sums of weights, of weight times label and of weight times prediction, cell by cell. */
export interface LabelSums {
  readonly weights: Float64Array
  readonly labels: Float64Array
  readonly predictions: Float64Array
}

/** The sum of weight times residual: against what the level predicts, or against each row's own prediction. */
export const residualIn = (
  { labels, predictions, weights }: LabelSums,
  cell: number,
  value: number | undefined,
): number => labels[cell] - (value === undefined ? predictions[cell] : weights[cell] * value)
