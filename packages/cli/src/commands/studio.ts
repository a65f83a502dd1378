// featureboost studio: the web page, served to this machine until Ctrl-C.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serveStudio } from '../studio/server.ts'

interface StudioOptions {
  /** --no-open: do not start a browser. */
  readonly open: boolean
  readonly port?: number
}

export async function runStudio({ open, port = 0 }: StudioOptions): Promise<void> {
  const server = await serveStudio(port)
  process.stdout.write(`${server.url}\n`)
  process.stderr.write('The studio is at this address, for this machine alone. Ctrl-C ends it.\n')
  if (open) openBrowser(server.url)
  await Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => once(process, signal)))
  await server.close()
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // start is part of the shell there; its first argument would be the title of a window.
  win32: ['cmd', '/c', 'start', ''],
}

/** Where there is no browser, or no way to start one, the address is printed already. */
function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => process.stderr.write('No browser could be started: open the address yourself.\n'))
  child.unref()
}
