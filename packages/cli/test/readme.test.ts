// What the README shows runs.

import { readFileSync } from 'node:fs'
import * as core from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { describe, expect, it } from 'vitest'
import { makeProgram } from '../src/program.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const block = (language: string, after: string): string => {
  const from = readme.indexOf(`\`\`\`${language}`, readme.indexOf(after))
  return readme.slice(readme.indexOf('\n', from) + 1, readme.indexOf('```', from + 3))
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

describe('the README', () => {
  it('shows library code that runs as it stands', async () => {
    const lines = block('ts', '## As a library').split('\n')
    const names = lines[0].match(/\{ (.*) \}/)![1].split(', ')
    const offered = new Map<string, unknown>(Object.entries(core))
    const random = makeRandom(5)
    const rows = Array.from({ length: 600 }, () => random.next())
    const data = {
      age: rows.map(value => Math.round(20 + 50 * value)),
      sex: rows.map((_, row) => (row % 2 === 0 ? 'F' : 'M')),
      income: rows.map((value, row) => (row % 9 === 0 ? null : value * 1e5)),
      score: rows.map(value => 0.2 + 0.4 * value),
      defaulted: rows.map((value, row) => (random.next() < 0.2 + 0.3 * value + (row % 2) * 0.2 ? 1 : 0)),
    }
    const code = `${lines.slice(1).join('\n')}\nreturn { model, again, matches }`
    const run = AsyncFunction(...names, ...Object.keys(data), code)
    const { again, matches, model } = await run(
      ...names.map(name => offered.get(name)),
      ...Object.values(data),
    )
    expect(matches).toBe(true)
    expect(again.hash).toBe(model.hash)
  })

  it('shows only commands and flags that exist', () => {
    const commands = block('sh', '## On the command line')
      .split('\n')
      .filter(line => line.startsWith('npx featureboost'))
    expect(commands.length).toBeGreaterThan(5)
    for (const line of commands) {
      const [name, ...words] = line.split('#')[0].trim().split(/ +/).slice(2)
      const command = makeProgram().commands.find(candidate => candidate.name() === name)
      const known = ['--help', ...(command?.options.map(option => option.long) ?? [])]
      expect(known, line).toEqual(expect.arrayContaining(words.filter(word => word.startsWith('--'))))
    }
  })
})
