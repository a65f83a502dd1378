// What exact copies of a row are taken for: rows that agree in every column with a role, whatever they weigh.

/**
 * one          one observation, which weighs as much as all of them together
 * independent  as many observations as there are rows, which happen to be alike
 */
export const COPIES = ['one', 'independent'] as const

export type Copies = (typeof COPIES)[number]

/** Models of before do not say: their rows were independent, and rows with other weights were other rows. */
export type CopyRule = Copies | 'unsaid'
