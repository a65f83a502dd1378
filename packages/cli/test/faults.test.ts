// File operations that fail, tried on the built program through a library that stands between it and the C library: what once went wrong.
// `npm run reliability -- --only R13` tries every operation of every command.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareFaults, tryFaultsOn } from '../../../scripts/reliability/faults/faults.ts'
import { WRITINGS } from '../../../scripts/reliability/writing.ts'

const canBuild = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
const writingOf = (name: string) => WRITINGS.find(writing => writing.name === name)!

let folder = ''
let scene: Awaited<ReturnType<typeof prepareFaults>>

describe.runIf(canBuild)('a drive that fails', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'featureboost-faults-'))
    scene = await prepareFaults(folder)
  })

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('while cells are read again is told, and no cell is written in another form', async () => {
    const { faults, problems } = await tryFaultsOn(scene, writingOf('predict to CSV'), counted =>
      counted
        .map((what, index) => ({ kind: 'EIO' as const, at: index + 1, what }))
        .filter(({ what }) => what.startsWith('read'))
        .slice(-8),
    )
    expect(problems).toEqual([])
    expect(faults).toBe(8)
  })

  it('while a checkpoint is locked leaves no lock behind', async () => {
    const { faults, problems } = await tryFaultsOn(scene, writingOf('fit --checkpoint'), counted => [
      { kind: 'ENOSPC', at: counted.findIndex(what => what.startsWith('write')) + 1, what: 'the lock' },
    ])
    expect(problems).toEqual([])
    expect(faults).toBe(1)
  })

  it('while the lock of a monitor is let go leaves none behind', async () => {
    const { faults, problems } = await tryFaultsOn(scene, writingOf('monitor'), counted => [
      { kind: 'EIO', at: counted.findLastIndex(what => what.startsWith('read')) + 1, what: 'the lock' },
    ])
    expect(problems).toEqual([])
    expect(faults).toBe(1)
  })

  it('while DuckDB holds the rows is told as what it is', async () => {
    const { faults, problems } = await tryFaultsOn(scene, writingOf('fit --engine duckdb'), counted =>
      counted
        .map((what, index) => ({ kind: 'EIO' as const, at: index + 1, what }))
        .filter(({ what }) => what.startsWith('flush'))
        .slice(0, 4),
    )
    expect(problems).toEqual([])
    expect(faults).toBeGreaterThan(1)
  })
})
