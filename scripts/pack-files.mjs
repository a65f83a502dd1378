// Before a package is packed: the licence and the README of the repository go with it. They are copies, and not kept in git.

import { copyFileSync } from 'node:fs'

for (const name of ['LICENSE', 'README.md']) copyFileSync(new URL(`../${name}`, import.meta.url), name)
