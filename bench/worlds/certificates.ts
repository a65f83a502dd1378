// False certificates: how often a world's true error exceeds the bound that the rows of a draw prove. Everything but the
// rows is fixed beforehand, as it is for held-out rows.

import type { HeldOutBound } from '../../packages/core/src/certify/heldOutCertificate.ts'
import { evidenceOf, limitAbove } from '../../packages/core/src/certify/rowEvidence.ts'
import { toUnits } from '../../packages/core/src/common/units.ts'
import { gatherColumn } from '../../packages/core/src/data/column.ts'
import type { Dataset } from '../../packages/core/src/data/roles.ts'
import { type Engine, FIT } from '../../packages/core/src/engine/engine.ts'
import { memoryEngine } from '../../packages/core/src/engine/memory/memory.ts'
import { rememberJoint } from '../../packages/core/src/engine/remember.ts'
import { levelSetError } from '../../packages/core/src/measures/class/levelSet.ts'
import type { Measured } from '../../packages/core/src/measures/class/measured.ts'
import { multicalibrationError } from '../../packages/core/src/measures/class/multicalibration.ts'
import type { Encoding } from '../../packages/core/src/quantize/encoding.ts'
import { engineRows } from '../../packages/core/src/store/encode.ts'
import type { WorldClass, WorldClasses } from './classes.ts'
import { type Draw, ROLES } from './draw.ts'
import { outcomeOf, type Tally } from './tally.ts'

/** 1 - delta. */
export const CONFIDENCE = 0.95

export const SCOPE = { fold: FIT, cellBudget: 2 ** 27, confidence: CONFIDENCE, candidates: 1 }

/** Counts "held" where the truth is within the bound; `most` is the largest part of the slack that the truth took up. */
export async function judgeDraw(
  tally: Tally,
  draw: Draw,
  { classes, encoding }: WorldClasses,
): Promise<void> {
  const engine = await openEngine(draw, encoding)
  for (const each of classes) {
    const { errors, name } = each
    const bounds = await boundsOf(engine, each)
    countBound(tally, draw, `${name}, multicalibration`, errors.multicalibration, bounds.multicalibration)
    // Everyone alone has one leaf: both errors are the same.
    if (name !== 'everyone') countBound(tally, draw, `${name}, level set`, errors.levelSet, bounds.levelSet)
  }
  await engine.close()
}

/** Straight from the world: a table with labels of one kind only would be refused. */
export async function openEngine({ labels, rows, world }: Draw, encoding: Encoding): Promise<Engine> {
  const dataset: Dataset = {
    rowCount: rows.length,
    features: world.features.map(column => gatherColumn(column, rows)),
    label: Int32Array.from(labels, toUnits),
    start: Int32Array.from(rows, row => toUnits(world.score[row])),
    startKind: { kind: 'column', column: ROLES.prediction },
    weightScale: 1,
    whole: true,
  }
  return rememberJoint(await memoryEngine({ threads: 1 })(engineRows(dataset, encoding, {})))
}

async function boundsOf(engine: Engine, { compiled, rounding }: WorldClass) {
  const evidence = await evidenceOf(engine, FIT, rounding)
  const boundOf = ({ atMost, worst }: Measured): HeldOutBound => {
    const bound = limitAbove(evidence, atMost, 1 - CONFIDENCE)
    return { measured: atMost, slack: bound - atMost, bound, worst }
  }
  const levelSet = (await levelSetError(engine, compiled, rounding, SCOPE))!
  return {
    multicalibration: boundOf(await multicalibrationError(engine, compiled, rounding, SCOPE, levelSet)),
    levelSet: boundOf(levelSet),
  }
}

/** The name with "measured" counts how often the truth is within what was measured, without any slack. */
function countBound(
  tally: Tally,
  { events, world }: Draw,
  name: string,
  truth: number,
  { bound, measured, slack }: HeldOutBound,
): void {
  const place = { kind: world.kind, events }
  tally.add(name, place, outcomeOf({ low: 0, high: bound }, truth), (truth - measured) / slack)
  tally.add(`measured ${name}`, place, outcomeOf({ low: 0, high: measured }, truth))
}
