import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Suites that run without coverage, which makes tight loops three times as slow: those of other packages and of browsers, and
 * the longest of core. What they reach, shorter suites of core reach too.
 */
const UNCOVERED = [
  'packages/{cli,studio}/test/**/*.test.ts',
  'packages/core/test/browser/*.test.ts',
  'packages/core/test/audit/audit.test.ts',
  'packages/core/test/compare/beforeAfter.test.ts',
  'packages/core/test/measures/class/worlds.test.ts',
  'packages/core/test/measures/score/intervals.test.ts',
  'packages/core/test/engine/{identity,memory}.test.ts',
  'packages/core/test/export/duckdb.test.ts',
  'packages/core/test/fit/invariance.test.ts',
  'packages/core/test/model/{mutants,mutations}.test.ts',
  'packages/core/test/oracle/rankOne.test.ts',
  'packages/core/test/paper/guarantees.test.ts',
]

/** Suites that put something else in the place of a module, which no other suite may see. */
const REPLACING = [
  'packages/core/test/engine/pairSearch.test.ts',
  'packages/core/test/kernels/sorter.test.ts',
  'packages/core/test/model/kernels.test.ts',
  'packages/core/test/oracle/search.test.ts',
]

const withCoverage = process.argv.includes('--coverage')

export default defineConfig({
  resolve: {
    alias: {
      '@featureboost/core/baselines': source('packages/core/src/baselines/index.ts'),
      '@featureboost/core/internal': source('packages/core/src/internal.ts'),
      '@featureboost/core/testing': source('packages/core/src/testing/index.ts'),
      '@featureboost/core': source('packages/core/src/index.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'covered',
          include: ['packages/core/test/**/*.test.ts'],
          exclude: [...UNCOVERED, ...REPLACING],
          // Core keeps no state between calls, so suites may share its modules: loading them for each takes a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'replacing', include: REPLACING } },
      { extends: true, test: { name: 'others', include: UNCOVERED } },
    ],
    // One worker for every core: many tests wait for other processes, and the default leaves a core to the eye.
    maxWorkers: '100%',
    // Against tests that hang: a machine that is busy with other things may take long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: [source('packages/core/test/support/setup.ts')],
    // .ci/run counts the tests from these files.
    reporters: process.env.CI
      ? [
          'default',
          ['json', { outputFile: `node_modules/.cache/vitest-${withCoverage ? 'covered' : 'others'}.json` }],
        ]
      : ['default'],
    coverage: {
      provider: 'v8',
      include: ['packages/core/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { statements: 95, branches: 95 },
    },
  },
})
