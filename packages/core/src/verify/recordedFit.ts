// The call of `fit` that a model file records: options from `options`, and from every other part that says what was asked for.

import { FeatureBoostError } from '../common/errors.ts'
import type { FitOptions } from '../fit/settings.ts'
import type { Model } from '../model/model.ts'
import { auditorsOf, modelRowRoles, wordingOf } from '../model/modelRows.ts'

/** Everything that the fit depends on but for the rows, and for auditor functions, which the caller of `readModel` gives. */
export function recordedFit(model: Model): FitOptions {
  const { cellBudget, certificate, factors, options, roles, start } = model.data
  if (options === undefined) throw notRecorded(model)
  const { confidence, epsilon, guarantee } = certificate.claim
  const { protect } = roles
  const { categorical = [] } = wordingOf(model)
  const { holdout, ...columns } = modelRowRoles(model)
  return {
    ...options,
    ...columns,
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

const notRecorded = ({ data: { version } }: Model): FeatureBoostError =>
  new FeatureBoostError(
    'FB_REFIT',
    `a model file of version ${version} does not record the options of its fit, so the fit cannot be repeated.`,
    {
      found: version,
      expected: 'a file of version 3 or later',
      hint: 'Fit again with this release, and verify that file.',
    },
  )
