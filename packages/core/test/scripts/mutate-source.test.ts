// Changes of a source file for mutation testing: code is changed, and nothing else.

import { describe, expect, it } from 'vitest'
import { mutantsOf } from '../../../../scripts/mutate-source.ts'

const after = (line: string): string[] => mutantsOf('x.ts', line).map(mutant => mutant.after)

describe('a change of the source', () => {
  it('turns signs, bounds, truth values and conditions round', () => {
    expect(after('a = b < c')).toEqual(['a = b <= c'])
    expect(after('return Math.max(a, b - c)')).toEqual([
      'return Math.max(a, b + c)',
      'return Math.min(a, b - c)',
    ])
    expect(after('if (isDone(a)) break')).toEqual(['if (!(isDone(a))) break'])
    expect(after('const isOpen = true')).toEqual(['const isOpen = false'])
  })

  it('says where it is, and leaves all else as it is', () => {
    const [mutant, ...others] = mutantsOf('x.ts', 'a\n  b > c // 1 < 2\n')
    expect(mutant).toEqual({ file: 'x.ts', line: 2, before: '  b > c // 1 < 2', after: '  b >= c // 1 < 2' })
    expect(others).toEqual([])
  })

  it.each([
    '// a < b',
    "import { a } from 'b'",
    "throw new Error('1 < 2 is true')",
    'const map = new Map<string, 1>()',
    '/** 0 or\n 1 */',
    'type A = 0 | 1',
  ])('leaves comments, texts, imports and types alone: %s', line => {
    expect(after(line)).toEqual([])
  })

  it('leaves a condition alone that goes on in the next line', () => {
    expect(after('if (\n')).toEqual([])
  })
})
