// Property tests draw the same cases in every run; FAST_CHECK_SEED=7 npm test draws others.

import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) })
