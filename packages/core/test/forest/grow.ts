// A whole forest at once, for tests that do not care about single trees.

import type { ForestTrainer, GrownForest } from '../../src/forest/trainer.ts'

export function grow(trainer: ForestTrainer, apart: number): GrownForest {
  const growing = trainer.train(apart)
  for (let next = growing.next(); ; next = growing.next()) if (next.done === true) return next.value
}
