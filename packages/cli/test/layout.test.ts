import { describe, expect, it } from 'vitest'
import { layoutTable, wrap } from '../src/terminal/layout.ts'

describe('wrapping', () => {
  it('breaks at spaces, hangs continuation lines and keeps the indent of the first', () => {
    expect(wrap('  one two three four', 11, 4)).toBe('  one two\n    three\n    four')
  })

  it('leaves a word that is too long on a line of its own', () => {
    expect(wrap('a incomprehensibilities b', 8)).toBe('a\nincomprehensibilities\nb')
  })
})

describe('tables', () => {
  it('align the first column to the left and the others to the right', () => {
    expect(
      layoutTable(
        ['name', 'n'],
        [
          ['a', '100'],
          ['bcdef', '5'],
        ],
      ),
    ).toBe(['name     n', '─────  ───', 'a      100', 'bcdef    5'].join('\n'))
  })
})
