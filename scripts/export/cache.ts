// Where what is installed for checks of exports is kept, outside the repository, so that clones share it.

import { homedir } from 'node:os'
import { join } from 'node:path'

export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'featureboost', 'export')
