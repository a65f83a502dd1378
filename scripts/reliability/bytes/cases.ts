// Fits whose bytes must be the same everywhere: made-up tables with numbers, categories, truth values, missing values, copies, weights and
// folds, by every method. Runs in Node of any version and in pages, so it uses nothing but the library.

import {
  type FitOptions,
  fit,
  type MakeEngine,
  memoryEngine,
  tableFromRows,
} from '../../../packages/core/src/index.ts'
import { makeRandom } from '../../../packages/core/src/internal.ts'
import { METHODS, type Method } from '../../../packages/core/src/options/options.ts'

export type Row = Record<string, string | number | boolean | null>

export interface Case {
  readonly name: string
  readonly rows: readonly Row[]
  readonly options: FitOptions
}

/** By arithmetic alone: powers and logarithms are not the same everywhere. */
export function makeRows(seed: number): Row[] {
  const random = makeRandom(seed)
  const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)]
  const count = 250 + random.integer(500)
  const rows: Row[] = []
  while (rows.length < count) {
    if (rows.length > 10 && random.next() < 0.15) {
      rows.push({ ...rows[random.integer(rows.length)] })
      continue
    }
    const region = pick(['north', 'south', 'Größe', '東', null])
    const age = random.next() < 0.05 ? null : 18 + random.integer(60)
    const income = random.next() < 0.1 ? null : 3000 + random.integer(600_000) / 7
    const score = random.next() < 0.3 ? random.integer(20) / 20 : random.next()
    const rate = region === 'south' ? score * score : age !== null && age > 60 ? Math.sqrt(score) : score
    rows.push({
      ...{ region, age, income, score },
      member: pick([true, false, null]),
      weight: random.integer(5) / (1 + random.integer(2)),
      side: random.next() < 0.25 ? 'holdout' : 'fit',
      person: `p${random.integer(count / 3)}`,
      y: random.next() < rate ? 1 : 0,
    })
  }
  rows[0] = { ...rows[0], y: 0, side: 'fit', weight: 1 }
  rows[1] = { ...rows[1], y: 1, side: 'fit', weight: 1 }
  rows[2] = { ...rows[2], side: 'holdout', weight: 1 }
  return rows
}

/** How rows are held out, and whether they have weights. */
const ROLES: readonly Partial<FitOptions>[] = [
  { holdout: 0.3, except: ['weight', 'side', 'person'] },
  { fold: 'side', weight: 'weight', except: ['person'] },
  { holdout: 0.3, groupBy: 'person', except: ['weight', 'side'] },
]

const briefly = (method: Method): Partial<FitOptions> =>
  method === 'rounds' ? { roundLimit: 6 } : method.startsWith('forest') ? { parts: 3 } : {}

/** One case for each table, seed and method. */
export function makeCases(tables: number, seeds: number, methods: readonly Method[] = METHODS): Case[] {
  return Array.from({ length: tables }, (_, table) => table).flatMap(table =>
    Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap(seed =>
      methods.map(method => ({
        name: `table ${table}, seed ${seed}, ${method}`,
        rows: makeRows(1000 + table),
        options: {
          ...{ label: 'y', prediction: 'score', epsilon: 0.2, method, seed },
          ...ROLES[table % ROLES.length],
          ...briefly(method),
        },
      })),
    ),
  )
}

export interface Way {
  readonly threads: number
  /** Small, so that every thread has rows. */
  readonly chunkRows?: number
}

/** The hash of the model, or the code that it was refused with. */
export async function hashOf(rows: readonly Row[], options: FitOptions, way: Way): Promise<string> {
  const engine: MakeEngine = memoryEngine(way)
  try {
    return (await fit(tableFromRows(rows), { ...options, engine, threads: way.threads })).hash
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code?.startsWith('FB_')) return code
    throw error
  }
}

export async function hashAll(tables: number, seeds: number, way: Way): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, options, rows } of makeCases(tables, seeds))
    found[name] = await hashOf(rows, options, way)
  return found
}

export const differing = (
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): string[] => Object.keys(a).filter(name => a[name] !== b[name])
