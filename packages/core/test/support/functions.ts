// Auditor functions whose values are whole numbers of 2^-5, so that signals hold them exactly.

import type { RowFunctions } from '../../src/quantize/signals.ts'

const within = (value: number): number => Math.max(-1, Math.min(1, value))

export const FUNCTIONS: RowFunctions = {
  older: row => (row.age === null ? 0 : within(Math.round((row.age as number) - 30) / 32)),
  belongs: row => (row.member === null ? 0 : row.member ? 1 : -0.5),
  initial: row => (row.city === null ? -1 : ((row.city as string).charCodeAt(0) - 67) / 4),
}
