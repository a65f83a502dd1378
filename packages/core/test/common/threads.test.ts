// Threads end, and are waited for.

import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const THREADS = new URL('../../dist/common/threads.js', import.meta.url).href

describe('a thread that is ended', () => {
  it('is waited for, even if a late message says that it has nothing to do', () => {
    const script = `
      import { startWorker } from '${THREADS}'
      const worker = startWorker('setInterval(() => {}, 1000)', { reply() {}, lost() {} })
      worker.setBusy(true)
      const ended = worker.terminate()
      worker.setBusy(false)
      await ended
      console.log('ended')
    `
    // A process that is over before its end is heard of has code 13.
    const options = { input: script, encoding: 'utf8', timeout: 60_000 } as const
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module'], options)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'ended\n' })
  })
})
