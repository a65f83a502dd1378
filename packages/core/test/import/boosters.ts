// Small files as MCGrad saves them, put together by hand: one tree that asks for a category, a number and the running log odds.

import { readFileSync } from 'node:fs'

export interface GoldenCase {
  readonly name: string
  readonly file: string
  readonly options: { readonly scale?: 'logit' }
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
  readonly predictions: readonly number[]
}

/** Written by `npx tsx scripts/check-import.ts --golden`, from the packages themselves. */
export const GOLDEN = JSON.parse(
  readFileSync(new URL('golden.json', import.meta.url), 'utf8'),
) as readonly GoldenCase[]

/** Columns: region (a category), age (a number), the prediction. Lines of the tree can be replaced. */
export function boosterText(
  lines: Readonly<Record<string, string>> = {},
  head: Readonly<Record<string, string>> = {},
): string {
  const write = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(([name, value]) => `${name}=${value}\n`)
  const tree = {
    num_leaves: '4',
    num_cat: '1',
    split_feature: '0 1 2',
    threshold: '0 30.5 -1.25',
    decision_type: '1 10 2',
    left_child: '1 -1 -2',
    right_child: '2 -3 -4',
    leaf_value: '0.5 -0.25 0.125 1',
    cat_boundaries: '0 1',
    cat_threshold: '5',
    is_linear: '0',
    ...lines,
  }
  const before = {
    version: 'v4',
    num_class: '1',
    num_tree_per_iteration: '1',
    max_feature_idx: '2',
    objective: 'binary sigmoid:1',
    feature_infos: '-1:0:1:2 [18:80] [-5:5]',
    ...head,
  }
  return `tree\n${write(before).join('')}\nTree=0\n${write(tree).join('')}\n\nend of trees\n`
}

export const mcgradFile = (
  booster = boosterText(),
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  schema_version: 2,
  mcgrad: [{ booster, unshrink_factor: 1.5 }],
  params: { allow_missing_segment_feature_values: true },
  has_encoder: true,
  encoder: "{0: {'east': 0, 'north': 1, 'west': 2}}",
  categorical_feature_names: ['region'],
  numerical_feature_names: ['age'],
  ...more,
})
