// Neighbouring doubles: x < t is the same as x <= nextDown(t), so one kind of cut serves both.

const view = new DataView(new ArrayBuffer(8))

export const nextUp = (value: number): number => -nextDown(-value)

/** The largest double below a finite one. */
export function nextDown(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n))
  return view.getFloat64(0)
}
