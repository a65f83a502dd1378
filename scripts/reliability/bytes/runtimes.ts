// The same fits in other versions of Node, in other locales and time zones, and in browsers. Versions of Node come from the npm packages of
// that name, into a folder for caches; Chromium and Firefox from this machine or from apt.

import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findChromium } from '../../find-chromium.ts'

const run = promisify(execFile)

export type Hashes = Readonly<Record<string, string>>

const CACHE = join(homedir(), '.cache', 'featureboost', 'node')

/** The executable of a version of Node, from npm; undefined where it cannot be had, with the reason told. */
export async function findNode(version: number, tell: (reason: string) => void): Promise<string | undefined> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath
  const folder = join(CACHE, String(version))
  const executable = join(folder, 'node_modules', 'node', 'bin', 'node')
  try {
    if (!existsSync(executable)) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      await run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder })
    }
    const { stdout } = await run(executable, ['--version'])
    if (!stdout.startsWith(`v${version}.`)) throw new Error(`it says that it is ${stdout.trim()}`)
    return executable
  } catch (error) {
    tell(`Node ${version}: ${(error as Error).message.split('\n')[0]}`)
    return undefined
  }
}

const CASES = fileURLToPath(new URL('cases.ts', import.meta.url))

/** The library and the cases, for Node or for pages. */
export async function bundleCases(format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [CASES],
    ...{ bundle: true, write: false, format, target: 'es2022', charset: 'utf8' },
    ...(format === 'iife' ? { globalName: 'cases', platform: 'browser' } : { platform: 'neutral' }),
  })
  return outputFiles[0].text
}

/** What `hashAll` says in this Node, with this environment. */
export async function hashesInNode(
  executable: string,
  tables: number,
  seeds: number,
  env: NodeJS.ProcessEnv = {},
): Promise<Hashes> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-runtime-'))
  try {
    writeFileSync(join(folder, 'cases.mjs'), await bundleCases('esm'))
    const url = pathToFileURL(join(folder, 'cases.mjs')).href
    const script = `const { hashAll } = await import(${JSON.stringify(url)}); console.log(JSON.stringify(await hashAll(${tables}, ${seeds}, { threads: 2, chunkRows: 97 })))`
    writeFileSync(join(folder, 'run.mjs'), script)
    const { stdout } = await run(executable, [join(folder, 'run.mjs')], {
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 26,
    })
    return JSON.parse(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A page that fits and sends its hashes back; `open` starts a browser on it and returns how to end it. */
async function hashesOnPage(
  tables: number,
  seeds: number,
  open: (url: string) => Promise<() => Promise<void>>,
): Promise<Hashes> {
  const script = await bundleCases('iife')
  const send = `cases.hashAll(${tables}, ${seeds}, { threads: 2, chunkRows: 97 }).then(found => JSON.stringify(found), error => 'failed: ' + (error.stack || error)).then(body => fetch('found', { method: 'POST', body }))`
  return await new Promise<Hashes>((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.method === 'POST') {
        let body = ''
        request.setEncoding('utf8').on('data', text => {
          body += text
        })
        request.on('end', () => {
          response.end()
          finish(() => (body.startsWith('failed') ? reject(new Error(body)) : resolve(JSON.parse(body))))
        })
        return
      }
      const isScript = request.url === '/cases.js'
      response.setHeader('Content-Type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`)
      response.end(
        isScript
          ? `${script}\n${send}`
          : '<!doctype html><meta charset="utf-8"><script src="cases.js"></script>',
      )
    })
    let close: (() => Promise<void>) | undefined
    const limit = setTimeout(() => finish(() => reject(new Error('the page did not answer'))), LIMIT_MS)
    const finish = (settle: () => void) => {
      clearTimeout(limit)
      server.close()
      server.closeAllConnections()
      void Promise.resolve(close?.()).then(settle, reject)
    }
    server.listen(0, '127.0.0.1', () => {
      open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).then(
        end => {
          close = end
        },
        error => finish(() => reject(error)),
      )
    })
  })
}

const LIMIT_MS = 30 * 60_000

export async function hashesInChromium(tables: number, seeds: number): Promise<Hashes> {
  const executablePath = await findChromium()
  return await hashesOnPage(tables, seeds, async url => {
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
    const page = await browser.newPage()
    await page.goto(url)
    return () => browser.close()
  })
}

/** Undefined where there is none. */
export async function findFirefox(): Promise<string | undefined> {
  for (const name of ['firefox-esr', 'firefox']) {
    const { stdout } = await run('which', [name]).catch(() => ({ stdout: '' }))
    if (stdout.trim() !== '') return stdout.trim()
  }
  return undefined
}

/** Without a driver: the page speaks for itself. */
export async function hashesInFirefox(executable: string, tables: number, seeds: number): Promise<Hashes> {
  const profile = mkdtempSync(join(tmpdir(), 'featureboost-firefox-'))
  return await hashesOnPage(tables, seeds, async url => {
    const child = spawn(executable, ['--headless', '--no-remote', '--profile', profile, url], {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    })
    return async () => {
      child.kill('SIGKILL')
      rmSync(profile, { recursive: true, force: true })
    }
  })
}
