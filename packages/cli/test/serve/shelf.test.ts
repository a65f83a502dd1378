// Model files that change while they are served.

import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fit, functions, tableFromRows } from '@featureboost/core'
import { describe, expect, it } from 'vitest'
import { namedModels, Shelf } from '../../src/serve/shelf.ts'
import { asJson, ROWS, start, zooFile } from './started.ts'

const hashIn = async (response: Response) => ((await response.json()) as { model: string }).model

describe('a model file that changes', () => {
  it('is read again; one that is broken or gone is refused, and the old one serves on', async () => {
    const { fileOf, post, reloads, shelf } = await start(['default'])
    const ask = async () => await hashIn(await post(asJson(ROWS[0])))
    const first = await ask()
    copyFileSync(zooFile('platt'), fileOf('default'))
    await shelf.reload()
    const second = await ask()
    expect(second).not.toBe(first)
    writeFileSync(fileOf('default'), '{"format":')
    await shelf.reload()
    rmSync(fileOf('default'))
    await shelf.reload()
    expect(await ask()).toBe(second)
    expect(reloads.map(([name, error]) => [name, (error as { code?: string })?.code])).toEqual([
      ['default', undefined],
      ['default', 'FB_MODEL_FORMAT'],
      ['default', 'FB_FILE_MISSING'],
    ])
  })

  it('fails no request while it is read again and again, now and then broken', async () => {
    const { fileOf, post, shelf } = await start(['default'])
    const body = asJson(ROWS)
    const statuses: number[] = []
    let isDone = false
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isDone) statuses.push((await post(body)).status)
      }),
    )
    for (let turn = 0; turn < 60; turn++) {
      if (turn % 10 === 9) writeFileSync(`${fileOf('default')}.new`, 'broken')
      else copyFileSync(zooFile(turn % 2 === 0 ? 'default' : 'platt'), `${fileOf('default')}.new`)
      renameSync(`${fileOf('default')}.new`, fileOf('default'))
      await shelf.reload()
    }
    isDone = true
    await asking
    expect(statuses.length).toBeGreaterThan(10)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('is noticed by itself', async () => {
    const { fileOf, post, shelf } = await start(['default'])
    const first = await hashIn(await post(asJson(ROWS[0])))
    shelf.watch(20)
    copyFileSync(zooFile('platt'), `${fileOf('default')}.new`)
    renameSync(`${fileOf('default')}.new`, fileOf('default'))
    let now = first
    for (let look = 0; look < 500 && now === first; look++) {
      await new Promise(resolve => setTimeout(resolve, 20))
      now = await hashIn(await post(asJson(ROWS[0])))
    }
    expect(now).not.toBe(first)
  })
})

describe('models are named', () => {
  it('after their files, or as is said', () => {
    expect(namedModels(['a/loans.fb.json', 'cards=b/x.json', 'plain'])).toEqual([
      ['loans', 'a/loans.fb.json'],
      ['cards', 'b/x.json'],
      ['plain', 'plain'],
    ])
  })

  it.each([[['a b.fb.json']], [['x=']], [['a/m.fb.json', 'b/m.fb.json']], [['m/é=f.json']]])(
    'or refused: %s',
    given => {
      expect(() => namedModels(given)).toThrow(/FB_USAGE/)
    },
  )

  it('and refused where they need code', async () => {
    const options = { label: 'y', prediction: 'score', method: 'rounds', threads: 1 } as const
    const table = tableFromRows(ROWS.map((row, index) => ({ ...row, y: index % 2 })))
    const auditors = functions({ young: row => (Number(row.age ?? 99) < 30 ? 1 : 0) })
    const model = await fit(table, { ...options, auditors, epsilon: 0.2 })
    const { fileOf } = await start(['default'])
    writeFileSync(fileOf('default'), model.toText())
    const opened = Shelf.open([['m', fileOf('default')]], { onReload: () => {} })
    await expect(opened).rejects.toMatchObject({ code: 'FB_FUNCTION' })
  })
})
