// A session with a server that fails as it is told, and gives up soon; both end with the test.

import { afterEach } from 'vitest'
import { SparkSession } from '../../../src/engines/spark/session.ts'
import type { SessionOptions } from '../../../src/engines/spark/sessionOptions.ts'
import { type FakeOptions, FakeSpark } from './fakeSpark.ts'

export const QUICK = { attempts: 30, forMs: 30_000, firstMs: 1, mostMs: 4 }
export const endings: (() => Promise<unknown>)[] = []

export async function start(options: FakeOptions = {}, choice: SessionOptions = {}) {
  const fake = await FakeSpark.start(options)
  const session = await SparkSession.open(fake.address, { retry: QUICK, firstRetry: QUICK, ...choice })
  endings.push(
    () => session.close(),
    () => fake.stop(),
  )
  return { fake, session }
}

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})
