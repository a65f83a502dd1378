// Writes the evidence of the gallery's real cases to docs/gallery, if the data sets are at hand (FEATUREBOOST_DATA): a logistic
// regression scores the table, a correction is fitted, and both are looked at on rows that neither has seen. Evidence holds sums and no rows.
//
//   npx tsx scripts/write-gallery.ts

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { collectEvidence, type Evidence, fit, makeTable } from '@featureboost/core'
import { type Column, findDataset, loadDataset } from '../bench/data/dataset.ts'
import { logisticScore } from '../bench/data/logistic.ts'
import { splitByKey, splitRows } from '../bench/data/split.ts'
import { keptPath } from './site/cases.ts'

interface RealCase {
  readonly dataset: string
  /** Ids and survey weights: neither scored by nor searched. */
  readonly except: readonly string[]
  /** Rows that agree here stay together. */
  readonly unit?: string
}

const REAL: Readonly<Record<string, RealCase>> = {
  adult: { dataset: 'adult', except: ['fnlwgt'] },
  diabetes: { dataset: 'diabetes130', except: ['patient_nbr'], unit: 'patient_nbr' },
}
const SHARES = [0.4, 0.3, 0.3]

async function realEvidence({ dataset, except, unit }: RealCase): Promise<Evidence> {
  const { columns, label, rowCount } = loadDataset(dataset)
  const parts = unit === undefined ? splitRows(rowCount, SHARES, 1) : splitByKey(columns[unit], SHARES, 1)
  const features = Object.keys(columns).filter(name => name !== label && !except.includes(name))
  const score = Array.from(logisticScore({ columns, label, features, rows: parts[0] }))
  const kept = Object.fromEntries([...features, label].map(name => [name, columns[name]]))
  const tableOf = (rows: readonly number[]) => {
    const pick = (column: Column) => rows.map(row => column[row])
    const picked = Object.entries({ ...kept, score }).map(([name, column]) => [name, pick(column)])
    return makeTable(Object.fromEntries(picked))
  }
  const model = await fit(tableOf(parts[1]), { label, prediction: 'score' })
  return collectEvidence(tableOf(parts[2]), { model, name: dataset })
}

function isAtHand(dataset: string): boolean {
  try {
    findDataset(dataset)
    return true
  } catch {
    return false
  }
}

for (const [name, real] of Object.entries(REAL)) {
  if (!isAtHand(real.dataset)) {
    console.log(
      `docs/gallery/${name}.json.gz stays as it is: there is no table ${real.dataset} (set FEATUREBOOST_DATA).`,
    )
    continue
  }
  const packed = gzipSync(JSON.stringify(await realEvidence(real)), { level: 9 })
  mkdirSync(dirname(keptPath(name)), { recursive: true })
  writeFileSync(keptPath(name), packed)
  console.log(`docs/gallery/${name}.json.gz: ${packed.length} bytes`)
}
