// Numbers of a certificate that cannot be true together, whatever the rows were. Found without rows: a file that has such numbers was
// forged or damaged, and nothing of it should be shown as if it were a statement.

import type { Certificate, Rung } from '../certify/facts.ts'
import { provenError } from '../certify/facts.ts'
import { FeatureBoostError } from '../common/errors.ts'
import type { ModelData } from '../model/data.ts'

export interface Contradiction {
  /** Where in the file. */
  readonly path: string
  /** Both numbers, in words. */
  readonly sentence: string
}

/** Predictions are counted in units of 2^-24, and bounds in doubles: so far apart may be what should be in order. */
const ROUNDING = 1e-6

export function findContradictions(data: Pick<ModelData, 'certificate' | 'updates'>): Contradiction[] {
  const { certificate, updates } = data
  return [
    ...certificate.rungs.flatMap((rung, index) => ofRung(rung, `certificate.rungs[${index}]`)),
    ...ofVerdict(certificate),
    ...ofLadder(certificate),
    ...ofSummaries(certificate),
    ...ofHeldOut(certificate),
    ...ofProtected(certificate),
    ...unless(certificate.rounds === updates.length, 'certificate.rounds', () => {
      return `it counts ${certificate.rounds} updates, and the file has ${updates.length}`
    }),
  ]
}

/** Throws the first of them. */
export function refuseContradictions(data: Pick<ModelData, 'certificate' | 'updates'>): void {
  const [first, ...others] = findContradictions(data)
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` There are ${others.length} more.`
  throw new FeatureBoostError('FB_MODEL_CONTRADICTION', `${first.sentence}.${more}`, {
    path: first.path,
    found: [first, ...others],
    hint: 'The file was forged or damaged: get it from where it was written, or verify it with the rows.',
  })
}

const unless = (holds: boolean, path: string, sentence: () => string): Contradiction[] =>
  holds ? [] : [{ path, sentence: sentence() }]

function ofRung(
  { bound, guarantee, measured: { atMost, error }, tolerance }: Rung,
  path: string,
): Contradiction[] {
  return [
    ...unless(bound >= 0 && error >= 0 && tolerance >= 0, path, () => {
      return `the ${guarantee} error of ${error}, its bound of ${bound} and its tolerance of ${tolerance} cannot be below 0`
    }),
    ...unless(bound >= error - ROUNDING, `${path}.bound`, () => {
      return `the bound ${bound} of the ${guarantee} error is smaller than the error ${error} that was measured`
    }),
    ...unless(atMost >= error - ROUNDING, `${path}.measured.atMost`, () => {
      return `the ${guarantee} error is said to be at most ${atMost}, and ${error} was measured`
    }),
  ]
}

function ofVerdict({
  claim: { confidence, epsilon, guarantee },
  holds,
  rungs,
}: Certificate): Contradiction[] {
  const claimed = rungs.find(rung => rung.guarantee === guarantee)
  const proven = claimed && provenError(claimed)
  return [
    ...unless(holds === (proven !== undefined && proven <= epsilon), 'certificate.holds', () => {
      const found = proven === undefined ? `no ${guarantee} error is proven` : `${proven} is proven`
      return `the claim is said ${holds ? '' : 'not '}to hold with epsilon ${epsilon}, and ${found}`
    }),
    ...unless(confidence > 0 && confidence < 1, 'certificate.claim.confidence', () => {
      return `a confidence of ${confidence} is not between 0 and 1`
    }),
  ]
}

/** Level sets are the finest groups: no other error of the same predictions is larger. */
function ofLadder({ rungs }: Certificate): Contradiction[] {
  const find = (guarantee: string) => rungs.find(rung => rung.guarantee === guarantee)
  const [levelSet, multicalibration] = [find('level-set'), find('multicalibration')]
  if (levelSet === undefined || multicalibration === undefined) return []
  const [fine, coarse] = [levelSet.measured.error, multicalibration.measured.error]
  return unless(fine >= coarse - ROUNDING, 'certificate.rungs', () => {
    return `the level-set error ${fine} is smaller than the multicalibration error ${coarse}`
  })
}

/** What was measured after the updates stands twice. */
function ofSummaries({ after, before, rungs }: Certificate): Contradiction[] {
  const measured = {
    multiaccuracy: after.multiaccuracy,
    multicalibration: after.multicalibration,
    'level-set': after.levelSet,
  }
  return [
    ...[before, after].flatMap(({ calibration, loss }, index) => {
      const path = `certificate.${index === 0 ? 'before' : 'after'}`
      return unless(isShare(loss) && isShare(calibration), path, () => {
        return `a mean squared error of ${loss} and a calibration error of ${calibration} are not both from 0 to 1`
      })
    }),
    ...rungs.flatMap(({ guarantee, measured: { error } }, index) =>
      unless(error === measured[guarantee]?.error, `certificate.rungs[${index}].measured.error`, () => {
        return `the ${guarantee} error is ${error} here and ${measured[guarantee]?.error} in certificate.after`
      }),
    ),
  ]
}

const isShare = (value: number): boolean => value >= 0 && value <= 1

function ofHeldOut({ claim, heldOut, rows }: Certificate): Contradiction[] {
  if (heldOut === undefined) return []
  const { confidence, units } = heldOut
  const bounds = {
    multiaccuracy: heldOut.multiaccuracy,
    multicalibration: heldOut.multicalibration,
    levelSet: heldOut.levelSet,
  }
  return [
    ...unless(
      units === undefined || units.weight === rows.holdoutWeight,
      'certificate.heldOut.units.weight',
      () => {
        return `held-out rows weigh ${units?.weight} here and ${rows.holdoutWeight ?? 0} in certificate.rows`
      },
    ),
    ...unless(units === undefined || units.count <= units.rows, 'certificate.heldOut.units.count', () => {
      return `${units?.rows} held-out rows are not ${units?.count} independent ones`
    }),
    ...unless(confidence === claim.confidence, 'certificate.heldOut.confidence', () => {
      return `the confidence is ${confidence} here and ${claim.confidence} in the claim`
    }),
    ...Object.entries(bounds).flatMap(([name, bound]) =>
      bound === undefined
        ? []
        : unless(
            bound.measured >= 0 && bound.bound >= bound.measured - ROUNDING,
            `certificate.heldOut.${name}.bound`,
            () => {
              return `the bound ${bound.bound} on new rows is smaller than the error ${bound.measured} that was measured on held-out rows`
            },
          ),
    ),
  ]
}

function ofProtected({ protected: groups = [] }: Certificate): Contradiction[] {
  return groups.flatMap(({ gap, group, heldOut }, index) => {
    const path = `certificate.protected[${index}]`
    return [
      ...unless(Math.abs(gap) <= 1, path, () => `a gap of ${gap} (${group}) is not within -1 to 1`),
      ...unless(
        heldOut === undefined || heldOut.bound >= Math.abs(heldOut.gap) - ROUNDING,
        `${path}.heldOut`,
        () => {
          return `the bound ${heldOut?.bound} of the gap on new rows is smaller than the gap ${heldOut?.gap} that was measured on held-out rows (${group})`
        },
      ),
    ]
  })
}
