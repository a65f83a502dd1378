// One HTML file per entry, with scripts and styles inside: it works from any host, from file:// and from the command line.
// Workers are classic scripts in Blobs, because file:// has no module workers.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { reportTemplate } from './reportTemplate.ts'
import { singleFile } from './singleFile.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: path('.'),
  base: './',
  resolve: {
    alias: {
      '@featureboost/core/internal': path('../core/src/internal.ts'),
      '@featureboost/core': path('../core/src/index.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [reportTemplate(path('../cli/dist/studio/report.html')), singleFile()],
  worker: { format: 'iife' },
  build: {
    outDir: path('../cli/dist/studio'),
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
