// The tests against a real Spark, which .ci/spark runs: they are no part of `npm test`, which needs nothing but Node.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  ...(base.resolve !== undefined && { resolve: base.resolve }),
  test: {
    name: 'spark',
    include: ['packages/cli/test/**/*.spark.ts'],
    // One cluster at a time: each is made of several processes.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    setupFiles: [fileURLToPath(new URL('../../packages/core/test/support/setup.ts', import.meta.url))],
    // .ci/run counts the tests from this file.
    reporters: ['verbose', ['json', { outputFile: 'node_modules/.cache/vitest-spark.json' }]],
  },
})
