// The Python environment of the peers, made once for each list of requirements. It needs a package index that pip can reach.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keyOf } from './cache.ts'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** Installed without their dependencies, which are listed with the requirements as far as they are needed. */
export const BARE_PACKAGES = ['MCGrad==0.1.5', 'multicalibration==0.0.2']

/** The interpreter of the environment under `cache`. `python` makes it where there is none. `bare` are installed without dependencies. */
export function prepareEnvironment(
  cache: string,
  python: string,
  list = REQUIREMENTS,
  bare: readonly string[] = BARE_PACKAGES,
): string {
  const requirements = readFileSync(list, 'utf8')
  const folder = join(cache, `python-${keyOf([requirements, bare, python])}`)
  const inside = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const done = join(folder, 'ready')
  if (existsSync(done)) return inside
  // An environment cannot be moved, so it is made in its place, and one that was left unfinished is made again.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const run = (command: string, parameters: string[]) =>
    execFileSync(command, parameters, { stdio: ['ignore', process.stderr, process.stderr] })
  run(python, ['-m', 'venv', folder])
  run(inside, ['-m', 'pip', 'install', '--quiet', '--requirement', list])
  if (bare.length > 0) run(inside, ['-m', 'pip', 'install', '--quiet', '--no-deps', ...bare])
  writeFileSync(done, '')
  return inside
}

/** Of every package that decides what a peer answers, and of Python. */
export function environmentVersions(python: string): Record<string, string> {
  const names = ['MCGrad', 'multicalibration', 'lightgbm', 'scikit-learn', 'numpy', 'pandas', 'scipy']
  const program = [
    'import json, platform, sys',
    'from importlib.metadata import version',
    'print(json.dumps({"Python": platform.python_version(), **{n: version(n) for n in sys.argv[1:]}}))',
  ].join('\n')
  const answer = execFileSync(python, ['-c', program, ...names], { encoding: 'utf8' })
  return JSON.parse(answer) as Record<string, string>
}
