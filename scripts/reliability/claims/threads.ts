import { hashOf, makeCases } from '../bytes/cases.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

/** Few tables are for a glance. */
const seedsFor = (tables: number): number => (tables === 1 ? 1 : 3)

async function measure({ say, size }: Run): Promise<Outcome> {
  const problems: string[] = []
  const seeds = seedsFor(size)
  const cases = makeCases(size, seeds)
  const refused = new Set<string>()
  for (const [index, { name, options, rows }] of cases.entries()) {
    const expected = await hashOf(rows, options, { threads: 1 })
    if (expected.startsWith('FB_')) refused.add(name)
    // All numbers of threads for some, two for the others: every table has all of them among its methods.
    const all = [2, 3, 4, 5, 6, 7, 8]
    for (const threads of index % 7 === 0 ? all : [all[index % 7]])
      if ((await hashOf(rows, options, { threads, chunkRows: 97 })) !== expected)
        problems.push(`${name}, ${threads} threads`)
    say(`${index + 1} of ${cases.length} fits`)
  }
  return {
    kept: problems.length === 0,
    figure: `${counted(cases.length, 'fit')} (${counted(size, 'made-up table')} x ${counted(seeds, 'seed')} x ${cases.length / size / seeds} methods), each with 1 thread and again with 2 to 8 threads: ${counted(problems.length, 'other model')}${refused.size === 0 ? '' : `; ${refused.size} were refused, with the same code`}.`,
    problems,
  }
}

export const threads: Claim = {
  id: 'R6',
  title: 'Threads',
  promised: 'A model has the same bytes with 1 to 8 threads, with every method.',
  anchor:
    'LightGBM and scikit-learn gave identical models in one comparison; the FAQ of XGBoost says that results may differ a little.',
  by: { unit: 'tables', short: 1, long: 50, measure },
}
