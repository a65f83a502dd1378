// Help shows examples that run, and whatever is mistyped gets the nearest name.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommanderError } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAudit } from '../src/commands/audit.ts'
import { runFit } from '../src/commands/fit.ts'
import { readGroups } from '../src/commands/readGroups.ts'
import { runShow } from '../src/commands/show.ts'
import { makeProgram } from '../src/program.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-help-'))
  writeFileSync(join(folder, 'loans.fb.json'), '')
  writeFileSync(join(folder, 'groups.json'), '[]')
  writeFileSync(join(folder, 'loans.csv'), 'defaulted,score,region\n1,0.4,north\n0,0.5,south\n1,0.3,north\n')
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** What the program prints, and how it ends, without running a command. */
async function parse(...args: string[]): Promise<{ said: string; code: string | undefined }> {
  let said = ''
  const program = makeProgram()
  const note = (text: string) => {
    said += text
  }
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: note, writeErr: note, outputError: note })
    if (command !== program) command.action(() => {})
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return { said, code: undefined }
  } catch (error) {
    return { said, code: (error as CommanderError).code }
  }
}

/** As a shell would take it apart; none of the examples escapes anything. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain,
  )

const names = makeProgram().commands.map(command => command.name())

describe('help', () => {
  it.each(['', ...names])('of %s has examples, and all of them are understood', async name => {
    const { said } = await parse(...(name === '' ? ['--help'] : [name, '--help']))
    const examples = said
      .slice(said.indexOf('Example'))
      .split('\n')
      .filter(line => line.includes('featureboost '))
      .map(line => line.split(' # ')[0])
    expect(examples.length).toBeGreaterThan(0)
    expect(said).not.toMatch(/default: (true|false)/)
    for (const line of examples) {
      const command = line.slice(line.indexOf('featureboost ')).split(/ [>|] |\)/)[0]
      expect(await parse(...wordsOf(command).slice(1)), line).toEqual({ said: '', code: undefined })
    }
  })
})

describe('what is mistyped gets the nearest name', () => {
  const FIT = ['fit', 'loans.csv', '--label', 'y', '--out', 'x']
  it.each<[string[], string]>([
    [['aduit'], 'Did you mean audit?'],
    [[...FIT, '--epsilom', '0.1'], 'Did you mean --epsilon?'],
    [[...FIT, '--guarantee', 'multicalibratoin'], 'Did you mean multicalibration?'],
    [[...FIT, '--stop', 'certficate'], 'Did you mean certificate?'],
    [[...FIT, '--factors', 'tabel'], 'Did you mean table?'],
    [['audit', 'a.csv', '--format', 'markdwon'], 'Did you mean markdown?'],
    [['plan', '--guarantee', 'level_set'], 'Did you mean level-set?'],
    [['completion', 'bsah'], 'Did you mean bash?'],
    [[...FIT, '--guarantee', 'everything'], 'Expected one of multiaccuracy, multicalibration, level-set.'],
  ])('%j', async (args, expected) => {
    const { code, said } = await parse(...args)
    expect(code).toMatch(/^commander\./)
    expect(said).toContain(expected)
  })

  const audit = (options: Record<string, string | string[]>) =>
    runAudit([join(folder, 'loans.csv')], {
      label: 'defaulted',
      prediction: 'score',
      format: 'text',
      json: false,
      quiet: true,
      ...options,
    })

  it('files of models, baselines and groups', async () => {
    const near = (name: string) => ({
      message: expect.stringContaining(`Did you mean ${join(folder, name)}?`),
    })
    await expect(runShow(join(folder, 'loan.fb.json'), { json: false })).rejects.toMatchObject(
      near('loans.fb.json'),
    )
    await expect(readGroups(`@${join(folder, 'group.json')}`)).rejects.toMatchObject(near('groups.json'))
    await expect(audit({ baseline: join(folder, 'loans.f.json') })).rejects.toMatchObject(
      near('loans.fb.json'),
    )
  })

  it('columns, groups and auditors', async () => {
    const near = (name: string) => ({ message: expect.stringContaining(`Did you mean ${name}?`) })
    await expect(audit({ label: 'default' })).rejects.toMatchObject(near('"defaulted"'))
    await expect(audit({ prediction: 'scores' })).rejects.toMatchObject(near('"score"'))
    await expect(audit({ weight: 'regio' })).rejects.toMatchObject(near('"region"'))
    await expect(audit({ features: ['regoin'] })).rejects.toMatchObject(near('"region"'))
    await expect(audit({ except: ['regoin'] })).rejects.toMatchObject(near('"region"'))
    await expect(audit({ groups: 'regoin' })).rejects.toMatchObject(near('"region"'))
    const flags = { force: false, resume: false, audit: true, json: false, quiet: true }
    const fit = { label: 'y', out: join(folder, 'x'), ...flags }
    await expect(runFit([], { ...fit, auditors: 'tress:3' })).rejects.toMatchObject(near('trees'))
  })
})
