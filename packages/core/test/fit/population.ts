// A seeded population whose score is wrong in known ways: too low for one region, too high for the young.

import { type FitOptions, makeTable, type Table } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

export interface PopulationOptions {
  readonly rows?: number
  readonly seed?: number
}

/** Rounds to the certificate, on this population. */
export const TO_CERTIFICATE: FitOptions = {
  label: 'y',
  prediction: 'score',
  except: ['fold'],
  method: 'rounds',
  stop: 'certificate',
  epsilon: 0.1,
}

const REGIONS = ['east', 'north', 'south']

export function makePopulation({ rows = 300, seed = 1 }: PopulationOptions = {}): Table {
  const random = makeRandom(seed)
  const columns = {
    y: new Array<number>(rows),
    score: new Array<number>(rows),
    age: new Array<number | null>(rows),
    region: new Array<string>(rows),
    fold: new Array<string>(rows),
  }
  for (let row = 0; row < rows; row++) {
    const age = 18 + random.integer(12)
    const region = REGIONS[random.integer(3)]
    const score = (1 + random.integer(9)) / 10
    const truth = score + (region === 'south' ? 0.2 : 0) - (age < 22 ? 0.25 : 0)
    columns.y[row] = random.next() < truth ? 1 : 0
    columns.score[row] = score
    columns.age[row] = random.next() < 0.05 ? null : age
    columns.region[row] = region
    columns.fold[row] = random.next() < 0.3 ? 'holdout' : 'fit'
  }
  return makeTable(columns)
}
