// An engine that passes every question on to another: a start for engines that change one answer.

import type { LocalEngine } from '../../src/engine/engine.ts'

export const passOn = (engine: LocalEngine): LocalEngine => ({
  name: engine.name,
  shape: engine.shape,
  histogram: request => engine.histogram(request),
  jointHistogram: request => engine.jointHistogram(request),
  levelSums: request => engine.levelSums(request),
  moments: request => engine.moments(request),
  losses: () => engine.losses(),
  evaluate: update => engine.evaluate(update),
  apply: update => engine.apply(update),
  reset: () => engine.reset(),
  snapshot: () => engine.snapshot(),
  sample: request => engine.sample(request),
  fingerprint: columns => engine.fingerprint(columns),
  close: () => engine.close(),
})
