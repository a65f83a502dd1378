// Trouble with the machine is no bug of ours: it is said with a code and what to do. Signals end a command in good order.

import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exitCodeOf, messageOf } from '../src/errors.ts'
import { at, ENVIRONMENT, FIT, folderOf, LONG, openLoans, program, ROLES, run } from './loans.ts'

openLoans()

const AUDIT = ['audit', 'loans.csv', ...ROLES, '--quiet']
const MODEL = ['--model', 'loans.fb.json']

/** One line with a code: no stack, no talk of bugs. */
function isSaid({ status, stderr }: { status: number | null; stderr: string }, said: RegExp): void {
  expect(stderr).toMatch(said)
  expect(stderr).not.toMatch(/bug in featureboost|^ +at /m)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(status, stderr).toBe(3)
}

describe('trouble with the machine', () => {
  it('a folder for temporary files that is not there, or is no folder', () => {
    for (const TMPDIR of [at('nowhere'), at('loans.csv')]) {
      const told = spawnSync(process.execPath, [program, ...AUDIT], {
        cwd: folderOf(),
        encoding: 'utf8',
        env: { ...ENVIRONMENT, TMPDIR },
      })
      isSaid(told, /^FB_TEMPORARY .*temporary files cannot be written here: .* Set TMPDIR/)
    }
  })

  it('a file that cannot be read', () => {
    const long = `${'x'.repeat(300)}.csv`
    isSaid(
      run('audit', long, ...ROLES),
      /^FB_FILE_FORMAT: x+\.csv could not be read: its name is too long \(ENAMETOOLONG\)\./,
    )
    isSaid(run('show', long), /^FB_FILE_FORMAT: .*its name is too long/)
    isSaid(run('show', '.'), /^FB_FILE_FORMAT: \. could not be read: it is a folder \(EISDIR\)\./)
    isSaid(run('show', 'loans.csv/x'), /^FB_FILE_FORMAT: .*a part of its path is a file/)
    const inFile = [...FIT, '--method', 'rounds', '--quiet', '--out', 'never', '--checkpoint', 'loans.csv/x']
    isSaid(
      run(...inFile),
      /^FB_FILE_WRITE loans\.csv\/x: this folder takes no files: .* Choose another --checkpoint\./,
    )
  })

  it.skipIf(!existsSync('/dev/full'))('a stdout that takes no more', () => {
    const full = openSync('/dev/full', 'w')
    for (const args of [AUDIT, ['show', 'loans.fb.json'], ['predict', 'loans.csv', ...MODEL, '--quiet']]) {
      const told = spawnSync(process.execPath, [program, ...args], {
        ...{ cwd: folderOf(), encoding: 'utf8', env: ENVIRONMENT },
        stdio: ['ignore', full, 'pipe'],
      })
      isSaid(told, /^FB_FILE_WRITE: stdout could not be written: no space is left \(ENOSPC\)\./)
    }
    const mute = spawnSync(process.execPath, [program, ...AUDIT.slice(0, -1)], {
      ...{ cwd: folderOf(), encoding: 'utf8', env: ENVIRONMENT },
      stdio: ['ignore', 'pipe', full],
    })
    expect(mute.status).toBe(0)
    expect(mute.stdout).toContain('Worst groups')
    closeSync(full)
  })

  it('whatever else the system refuses has a code, and what is no error of the system is a bug', () => {
    const refused = Object.assign(new Error('EMFILE: too many open files'), {
      code: 'EMFILE',
      syscall: 'open',
    })
    expect(messageOf(refused)).toBe(
      'FB_SYSTEM: too many files are open (EMFILE), during open. See to that, and try again.',
    )
    expect(exitCodeOf(refused)).toBe(3)
    expect(messageOf(new TypeError('x'))).toContain('This is a bug in featureboost')
    expect(exitCodeOf(new TypeError('x'))).toBe(1)
  })
})

describe('a signal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('%s ends with code %i and leaves nothing behind', async (signal, code) => {
    const temporary = at(`tmp-${signal}`)
    mkdirSync(temporary)
    const before = readdirSync(folderOf()).sort()
    const args = [...FIT, ...LONG, '--out', 'never']
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folderOf(),
      env: { ...ENVIRONMENT, TMPDIR: temporary },
    })
    let stderr = ''
    let seen: string[] = []
    child.stderr.on('data', data => {
      stderr += data
      if (!/round/.test(stderr) || child.killed) return
      seen = readdirSync(temporary)
      child.kill(signal)
    })
    expect(await new Promise(resolve => child.on('close', resolve)), stderr).toBe(code)
    expect(stderr).toContain('Interrupted. Nothing was written.')
    expect(stderr).not.toContain('Warning')
    // There was a folder to remove.
    expect(seen).toHaveLength(1)
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(folderOf()).sort()).toEqual(before)
  })
})

describe('memory that runs out', () => {
  const limited = (kibibytes: number, ...args: string[]) =>
    spawnSync('sh', ['-c', `ulimit -v ${kibibytes}; exec "$0" "$@"`, process.execPath, program, ...args], {
      cwd: folderOf(),
      encoding: 'utf8',
      env: ENVIRONMENT,
    })

  it.runIf(existsSync('/proc/self/limits'))('is foretold where addresses are too few for any work', () => {
    for (const mebibytes of [1000, 4000])
      isSaid(
        limited(1024 * mebibytes, ...AUDIT),
        /^FB_MEMORY: this process may have [\d,]+ MiB of addresses \(ulimit -v\), and needs 16,384 at least\. Lift/,
      )
  })

  it.runIf(existsSync('/proc/self/limits'))('is said where a thread cannot have its own', () => {
    isSaid(limited(18 * 2 ** 20, ...AUDIT), /^FB_MEMORY: memory ran out: WebAssembly\.Memory\(\)/)
  })

  it.each([
    new Error(
      'Out of Memory Error: could not allocate block of size 256.0 KiB (3.1 GiB/3.1 GiB used)\n\nPossible',
    ),
    new RangeError('Array buffer allocation failed'),
    new Error('Worker terminated due to reaching memory limit: JS heap out of memory'),
  ])('is no bug: %s', error => {
    expect(messageOf(error)).toMatch(/^FB_MEMORY: memory ran out: [^\n]*\. Leave columns out/)
    expect(exitCodeOf(error)).toBe(3)
  })

  it('is no bug where DuckDB cannot be loaded', () => {
    const error = Object.assign(new Error('libduckdb.so: failed to map segment'), {
      code: 'ERR_DLOPEN_FAILED',
    })
    expect(messageOf(error)).toMatch(/^FB_SYSTEM: a native library cannot be loaded: libduckdb\.so/)
    expect(exitCodeOf(error)).toBe(3)
  })
})
