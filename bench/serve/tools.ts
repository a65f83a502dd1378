// autocannon and Fastify, installed once beside the other things that benchmarks keep. It needs a registry that npm can reach.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGES = ['autocannon@8.0.0', 'fastify@5.12.8']

/** What `require` finds in the folder of these tools. */
export function prepareTools(cache: string): NodeJS.Require {
  const folder = join(cache, `serve-${PACKAGES.join('-').replaceAll(/[^\w.-]/g, '_')}`)
  const done = join(folder, 'ready')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
      cwd: folder,
      stdio: ['ignore', process.stderr, process.stderr],
    })
    writeFileSync(done, '')
  }
  return createRequire(join(folder, 'package.json'))
}
