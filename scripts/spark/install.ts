// pyspark from the package index, in an environment of its own that is made once and kept. It brings the whole of Spark, the Connect
// server included; only Java has to be there.

import { execFileSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareEnvironment } from '../../bench/versus/environment.ts'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** Outside the repository, so that clones share it: it takes 500 MB. */
const defaultCache = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'featureboost', 'spark')

/** The folder of Spark. */
export function installSpark(python = 'python3', cache = defaultCache()): string {
  const inside = prepareEnvironment(cache, python, REQUIREMENTS, [])
  const program = 'import os, pyspark; print(os.path.dirname(pyspark.__file__))'
  return execFileSync(inside, ['-c', program], { encoding: 'utf8' }).trim()
}
