import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    alias: { '@featureboost/core': source('packages/core/src/index.ts') },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['packages/*/test/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    setupFiles: [source('packages/core/test/support/setup.ts')],
    // .ci/run counts the tests from this file.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]]
      : ['default'],
    coverage: {
      provider: 'v8',
      include: ['packages/core/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { statements: 95, branches: 95 },
    },
  },
})
