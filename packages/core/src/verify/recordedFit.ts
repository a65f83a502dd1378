// The call of `fit` that a model file records: options from `options`, and from every other part that says what was asked for.

import { FeatureBoostError } from '../common/errors.ts'
import type { FitOptions } from '../fit/settings.ts'
import { MODEL_VERSION } from '../model/data.ts'
import type { Model } from '../model/model.ts'
import { auditorsOf, modelRowRoles, wordingOf } from '../model/modelRows.ts'

/** Files of before are refused. Everything that the fit depends on but for the rows, and for auditor functions, which the caller of `readModel` gives. */
export function recordedFit(model: Model): FitOptions {
  const { cellBudget, certificate, factors, imported, options, roles, start } = model.data
  if (imported !== undefined) throw notCertified()
  if (options === undefined) throw tooOld(model)
  const { confidence, epsilon, guarantee } = certificate.claim
  const { protect } = roles
  const { categorical = [] } = wordingOf(model)
  const { copies: _, holdout, ...columns } = modelRowRoles(model)
  return {
    ...options,
    ...columns,
    ...(roles.copies !== undefined && { copies: roles.copies }),
    ...(categorical.length > 0 && { categorical }),
    ...(start.kind === 'column' && start.scale !== undefined && { scoreScale: start.scale }),
    ...(protect !== undefined && { protect }),
    holdout: holdout?.fraction ?? 0,
    ...(holdout?.groupBy !== undefined && { groupBy: holdout.groupBy }),
    ...{ guarantee, epsilon, confidence, cellBudget },
    auditors: auditorsOf(model),
    // With any other method they follow from auditors and guarantee.
    ...(options.method === 'rounds' && { factors }),
  }
}

const notCertified = (): FeatureBoostError =>
  new FeatureBoostError(
    'FB_NOT_CERTIFIED',
    'the model was imported, and its certificate speaks of no rows.',
    {
      hint: 'Audit it on rows; or predict, and fit on the corrected score with a certificate: docs/import.md shows both.',
    },
  )

/** Its predictions stay what they were; what its certificate says was computed by rules that this version no longer has. */
const tooOld = ({ data: { version } }: Model): FeatureBoostError =>
  new FeatureBoostError('FB_MODEL_VERSION', `the certificate is of format version ${version}.`, {
    found: version,
    expected: `version ${MODEL_VERSION}`,
    hint: 'Rows were held out and errors on new rows bounded by older rules, and the options of the fit are not recorded, so that it cannot be repeated: fit again, or verify with the featureboost that wrote it.',
  })
