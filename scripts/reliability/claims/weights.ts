import { fit, tableFromRows } from '../../../packages/core/src/index.ts'
import type { ModelData } from '../../../packages/core/src/internal.ts'
import { makeCases } from '../bytes/cases.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

/** All but what tells weights from copies: the role, the number of rows, and the sentence on what is assumed of weights. */
function essenceOf({ certificate, roles: _, ...rest }: ModelData): string {
  const { rowCount: __, ...rows } = certificate.rows
  return JSON.stringify({
    ...rest,
    certificate: { ...certificate, rows, proven: certificate.proven.slice(1) },
  })
}

async function measure({ say, size }: Run): Promise<Outcome> {
  const problems: string[] = []
  const cases = makeCases(size, 1)
  for (const [index, { name, options, rows }] of cases.entries()) {
    const weigh = (row: number) => (row < 3 ? 1 : (row * 7919) % 4)
    const { weight: _, ...plain } = options
    const except = [...new Set([...(options.except ?? []), 'weight'])]
    const outcome = (some: readonly object[], weighted: boolean) =>
      fit(tableFromRows(some as typeof rows), {
        ...plain,
        threads: 1,
        except: weighted ? except.filter(each => each !== 'weight') : except,
        ...(weighted && { weight: 'weight' }),
      }).then(
        model => essenceOf(model.data),
        error => String(error.code),
      )
    const withWeights = rows.map((row, place) => ({ ...row, weight: weigh(place) }))
    const repeated = withWeights.flatMap(row => Array.from({ length: row.weight }, () => row))
    const [weights, copies, present] = [
      await outcome(withWeights, true),
      await outcome(repeated, false),
      await outcome(
        withWeights.filter(row => row.weight > 0),
        true,
      ),
    ]
    if (weights !== copies) problems.push(`${name}: weights and copies differ`)
    if (weights !== present) problems.push(`${name}: weight 0 and no row differ`)
    say(`${index + 1} of ${cases.length} fits`)
  }
  return {
    kept: problems.length === 0,
    figure: `${counted(cases.length, 'fit')} (${counted(size, 'made-up table')} x all methods), with whole weights of 0 to 3, with as many copies, and without the rows of weight 0: ${counted(problems.length, 'difference')} in predictions or certificates.`,
    problems,
  }
}

export const weights: Claim = {
  id: 'R10',
  title: 'Weights',
  promised:
    'A whole weight equals that many copies of the row, and weight 0 equals no row, with every method: the model is the same except for the role of the column and the count of rows (by default, copies of a row are one row of more weight; with `copies: independent` they are separate observations, and this does not apply).',
  anchor:
    'scikit-learn checks it (`check_sample_weight_equivalence`); predictions of LightGBM differed by up to 0.51 in one trial (measured).',
  by: { unit: 'tables', short: 1, long: 50, measure },
}
