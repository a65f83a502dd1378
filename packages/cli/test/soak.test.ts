// Fits and cancelled fits in one process give back their threads and handles. `npm run reliability -- --only R16` does hundreds, and looks at
// memory, too.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { SoakReport } from '../../../scripts/reliability/soak.ts'

it('many fits in one process leave no thread and no handle behind', () => {
  const script = fileURLToPath(new URL('../../../scripts/reliability/soak.ts', import.meta.url))
  const text = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, '9'], {
    encoding: 'utf8',
  })
  const { aborts, fits, resources, threads } = JSON.parse(text) as SoakReport
  expect(fits).toBe(9)
  expect(aborts).toBeGreaterThan(0)
  expect(resources.after).toBeLessThanOrEqual(resources.before)
  if (threads !== undefined) expect(threads.after).toBeLessThanOrEqual(threads.before)
})
