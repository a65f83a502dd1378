// Forged files: every part of a model file that predictions or statements use, changed and sealed again, is refused, by the check that is
// named beside it; the checks that come before take it for genuine, which is why there are more than one.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { FeatureBoostError, readModel, verify } from '../../src/index.ts'
import { BASE_NAMES, BASES, type BaseName, fitBase, PROMISES } from './bases.ts'
import { FORGERIES, makeForged } from './forgeries.ts'

const genuine = new Map<BaseName, string>()

beforeAll(async () => {
  for (const name of BASE_NAMES) genuine.set(name, await fitBase(name))
}, 60_000)

const codeOf = async (work: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof FeatureBoostError) return error.code
    throw error
  }
}

describe('a genuine file', () => {
  it.each(BASE_NAMES)('of %s passes every check', async name => {
    const found = await verify(readModel(genuine.get(name)!), BASES[name].rows, {
      expect: PROMISES[name],
      refit: true,
    })
    expect(found).toMatchObject({ differences: [], shortfalls: [], matches: true })
    expect(found.refit?.differences).toEqual([])
  })
})

describe('a forged file', () => {
  it.each(FORGERIES)('is refused by $by: $name', async forgery => {
    const { base, by, code, path } = forgery
    const { rows } = BASES[base]
    const text = await makeForged(forgery, genuine.get(base)!)
    if (by === 'read') return expect(await codeOf(async () => readModel(text))).toBe(code)
    const model = readModel(text)
    if (code !== undefined) return expect(await codeOf(() => verify(model, rows))).toBe(code)
    const found = await verify(model, rows, { expect: PROMISES[base], refit: by === 'refit' })
    expect(found.matches).toBe(false)
    const paths = {
      verify: found.differences.map(difference => difference.path),
      expect: found.shortfalls.map(({ key }) => key),
      refit: found.refit?.differences.map(difference => difference.path) ?? [],
    }
    expect(paths[by].length).toBeGreaterThan(0)
    if (path !== undefined) expect(paths[by].filter(each => each.startsWith(path))).not.toEqual([])
    // What comes before it did not see anything.
    if (by !== 'verify') expect(paths.verify).toEqual([])
  })

  it('has a name of its own', () => {
    expect(new Set(FORGERIES.map(({ name }) => name)).size).toBe(FORGERIES.length)
  })

  it('is counted in docs/verify.md, and so is one that agrees with its rows', () => {
    const page = readFileSync(new URL('../../../../docs/verify.md', import.meta.url), 'utf8').replace(
      /\s+/g,
      ' ',
    )
    expect(page).toContain(`forges ${FORGERIES.length} files`)
    expect(page).toContain(`${FORGERIES.filter(({ agrees }) => agrees).length} of them with everything else`)
  })
})
