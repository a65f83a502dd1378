// docs/planted.md, from the figures.
import type { MethodFigures } from './summary.ts'

export function writePage(_found: readonly MethodFigures[], _run: object): string {
  return ''
}
