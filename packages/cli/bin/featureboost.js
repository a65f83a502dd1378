#!/usr/bin/env node
// The command, which npm links when it installs: in a clone that is before anything is built.

import { existsSync } from 'node:fs'

const main = new URL('../dist/program/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  process.stderr.write('featureboost is not built yet: run `npm run build` or `npm start` first.\n')
  process.exitCode = 1
}
