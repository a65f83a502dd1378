// Finds a Chromium or Chrome for the browser test; where there is none, and apt and the right to use it are there,
// installs one.

import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

const INSTALL_LIMIT_MS = 8 * 60_000

const HOW =
  'Install Chromium or Chrome (on Debian as root: apt-get install chromium), or set CHROMIUM_PATH to its executable.'

/** The path of a Chromium that starts. */
export async function findChromium(): Promise<string> {
  const wanted = process.env.CHROMIUM_PATH
  if (wanted) {
    if (await starts(wanted)) return wanted
    throw new Error(`CHROMIUM_PATH is ${wanted}, and that does not start. ${HOW}`)
  }
  const found = await search()
  if (found !== undefined) return found
  const apt = await firstOf(onPath(['apt-get']), isExecutable)
  if (apt === undefined || process.getuid?.() !== 0) throw new Error(`There is no Chromium here. ${HOW}`)
  await install(apt)
  const installed = await search()
  if (installed === undefined) throw new Error(`apt-get installed no Chromium that starts. ${HOW}`)
  return installed
}

const search = () => firstOf([...onPath(NAMES), ...USUAL_PLACES], starts)

const onPath = (names: readonly string[]): string[] => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  return names.flatMap(name => folders.map(folder => join(folder, name)))
}

async function firstOf(
  paths: readonly string[],
  fits: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const path of paths) if (await fits(path)) return path
  return undefined
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Some systems have a placeholder by that name that only says how to install the real one. */
async function starts(path: string): Promise<boolean> {
  if (!(await isExecutable(path))) return false
  if (process.platform === 'win32') return true // there, --version opens a window
  return run(path, ['--version'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  )
}

async function install(apt: string): Promise<void> {
  const options = {
    timeout: INSTALL_LIMIT_MS,
    maxBuffer: 2 ** 26,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const wait = ['-o', 'DPkg::Lock::Timeout=120']
  try {
    await run(apt, [...wait, 'update'], options)
    await run(apt, [...wait, 'install', '-y', '--no-install-recommends', 'chromium'], options)
  } catch (error) {
    throw new Error(`There is no Chromium here, and apt-get could not install it. ${HOW}`, { cause: error })
  }
}
