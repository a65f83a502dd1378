// featureboost.json: which arguments it becomes, what wins, what is refused.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConfig } from '../src/config.ts'
import { exitCodeOf } from '../src/errors.ts'
import { makeProgram } from '../src/program.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-config-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const put = (content: unknown): string => {
  const file = join(folder, 'flags.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** The options that the command is run with. */
async function optionsOf(content: unknown, ...typed: string[]): Promise<Record<string, unknown>> {
  const [name, ...rest] = typed
  const program = makeProgram()
  const { args } = await withConfig(program, [name, ...rest, '--config', put(content)])
  const command = program.commands.find(each => each.name() === name)!
  let options: Record<string, unknown> = {}
  command.action((...given) => {
    options = given.at(-1).opts()
  })
  await program.parseAsync(args, { from: 'user' })
  return options
}

const FIT = {
  label: 'y',
  prediction: '-odd name',
  except: ['id', 'name, first'],
  epsilon: 0.1,
  missing: ['NA', '?'],
  audit: false,
  json: true,
  force: false,
  out: 'm.fb.json',
}

describe('a file of flags', () => {
  it('stands for what would be typed, required flags too', async () => {
    expect(await optionsOf({ fit: FIT, audit: { label: 'z' } }, 'fit', 'a.csv')).toMatchObject(FIT)
    expect(await optionsOf({ predict: { model: 'm.json', rounded: true } }, 'predict')).toMatchObject({
      model: 'm.json',
      rounded: true,
    })
    expect((await optionsOf({ predict: { model: 'm.json', rounded: 20 } }, 'predict')).rounded).toBe(20)
    expect((await optionsOf({ audit: {} }, 'plan')).epsilon).toBe(0.05)
  })

  it('gives way to what is typed', async () => {
    const typed = ['--epsilon', '0.3', '--except=other']
    expect(await optionsOf({ fit: { ...FIT, audit: true } }, 'fit', ...typed, '--no-audit')).toMatchObject({
      epsilon: 0.3,
      except: ['other'],
      audit: false,
      label: 'y',
    })
  })

  it('says what was taken from it', async () => {
    const file = put({ plan: { epsilon: 0.1, depth: 3 } })
    const { note } = await withConfig(makeProgram(), ['plan', '--depth', '2', `--config=${file}`])
    expect(note).toBe(`From ${file}: --epsilon.`)
  })

  const refusals: [what: string, content: unknown, said: RegExp][] = [
    [
      'an unknown flag',
      { fit: { predicton: 'y' } },
      /no flag of fit "predicton"\. Did you mean "prediction"\?/,
    ],
    [
      'a flag of another command',
      { audit: { failOver: 1 } },
      /no flag of audit "failOver"\. Did you mean "fail-over"\?/,
    ],
    ['an unknown command', { fitt: {} }, /no command "fitt"\. Did you mean "fit"\?/],
    [
      'a number out of range',
      { fit: { epsilon: 7 } },
      /"epsilon" of "fit" is 7\. Expected a number between 0 and 1/,
    ],
    [
      'no choice',
      { fit: { guarantee: 'all' } },
      /"guarantee" of "fit" is "all"\. Expected one of multiaccuracy/,
    ],
    ['a value for a flag that takes none', { fit: { json: 'yes' } }, /Expected true or false/],
    ['no value for a flag that takes one', { fit: { label: true } }, /Expected a text/],
    ['a list where one is wanted', { fit: { label: ['y'] } }, /Expected a text/],
    ['a config in a config', { fit: { config: 'x' } }, /no flag of fit "config"/],
    ['a prototype', '{"fit": {"__proto__": 1}}', /no flag of fit "__proto__"/],
    ['no object', [], /the file holds no object/],
    ['no JSON', '{', /is no JSON/],
  ]
  it.each(refusals)('refuses %s', async (_, content, said) => {
    const read = withConfig(makeProgram(), ['fit', '--config', put(content)])
    await expect(read).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(said) })
  })

  it('refuses a file that is not there, and is not looked for by help', async () => {
    await expect(
      withConfig(makeProgram(), ['fit', '--config', join(folder, 'none.json')]),
    ).rejects.toMatchObject({
      exitCode: 3,
    })
    put('{')
    const args = ['fit', '--help', '--config', join(folder, 'flags.json')]
    expect(await withConfig(makeProgram(), args)).toEqual({ args, note: undefined })
  })

  it('is found in the working folder', () => {
    writeFileSync(join(folder, 'featureboost.json'), JSON.stringify({ plan: { epsilon: 0.1, json: true } }))
    const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
    const { status, stderr, stdout } = run('plan')
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'From featureboost.json: --epsilon, --json.\n' })
    expect(JSON.parse(stdout).epsilon).toBe(0.1)
    writeFileSync(join(folder, 'featureboost.json'), '{"format": "featureboost-model"}')
    expect(run('plan')).toMatchObject({ status: 2, stderr: expect.stringContaining('give it another name') })
  })

  const touching: [command: string, flags: Record<string, unknown>][] = [
    ['fit', { out: 'm.json' }],
    ['fit', { force: true }],
    ['fit', { sql: "from '/etc/passwd'" }],
    ['fit', { checkpoint: 'kept' }],
    ['fit', { auditors: 'groups:@g.json' }],
    ['audit', { groups: '@g.json' }],
    ['audit', { 'protect-out': 'p.csv' }],
    ['audit', { baseline: 'b.json' }],
    ['predict', { model: 'm.json' }],
    ['decide', { losses: '@l.json' }],
    ['verify', { expect: '@e.json' }],
  ]
  it.each(touching)(
    'may not say what %s reads or writes where it was only found: %j',
    async (command, flags) => {
      const before = process.cwd()
      process.chdir(folder)
      try {
        writeFileSync('featureboost.json', JSON.stringify({ [command]: flags }))
        const [key] = Object.keys(flags)
        // Whichever command is run: the whole file is looked at.
        for (const run of [command, 'plan']) {
          const error = await withConfig(makeProgram(), [run]).catch(error => error)
          expect(error.message).toMatch(
            `FB_CONFIG featureboost.json: "${key}" of "${command}" says which files`,
          )
          expect(exitCodeOf(error)).toBe(2)
        }
        const named = await withConfig(makeProgram(), [command, '--config', 'featureboost.json'])
        expect(named.note).toBe(`From featureboost.json: --${key}.`)
        writeFileSync('featureboost.json', JSON.stringify({ audit: { groups: 'sex,race', label: '@y' } }))
        expect((await withConfig(makeProgram(), ['audit'])).note).toContain('--groups, --label')
      } finally {
        process.chdir(before)
        rmSync(join(folder, 'featureboost.json'), { force: true })
      }
    },
  )
})
