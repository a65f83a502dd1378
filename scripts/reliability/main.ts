// Measures what we promise under damage, faults, load and hostile input, and writes docs/reliability.md.
//
//   npm run reliability                               every claim, at its full size (many hours)
//   npm run reliability -- --only R1,R3 --size 10000  these, at another size
//   npm run reliability -- --short                    a few minutes: says whether all hold, writes nothing
//   npm run reliability -- --page                     measures nothing: writes the page anew
//
// Figures are kept in docs/reliability.json, each with its date, size and command, until they are measured again. Runs the built program:
// `npm run build` first. Ends with code 1 where a claim does not hold.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Claim, fewOf, type Measure, type Outcome } from './claim.ts'
import { CLAIMS } from './claims.ts'
import { FIGURES_FILE, type Figure, type Figures, PAGE_FILE, writePage } from './page.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    only: { type: 'string' },
    size: { type: 'string' },
  },
})

function chosen(): readonly Claim[] {
  const names = values.only?.split(',')
  const unknown = names?.find(name => CLAIMS.every(({ id }) => id !== name))
  if (unknown !== undefined)
    throw new Error(`There is no claim ${unknown}. There are ${CLAIMS.map(({ id }) => id).join(', ')}.`)
  return CLAIMS.filter(({ id }) => names?.includes(id) ?? true)
}

function sizeOf({ long, short }: Measure): number | undefined {
  if (values.size !== undefined) return Number(values.size)
  return values.short ? short : long
}

async function measure({ by, id }: Claim): Promise<(Outcome & Pick<Figure, 'seconds' | 'size'>) | undefined> {
  if (typeof by === 'string') return undefined
  const size = sizeOf(by)
  if (size === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), `featureboost-${id}-`))
  const started = performance.now()
  const say = (line: string) => process.stderr.isTTY && process.stderr.write(`\r${id} ${line}\u001b[K`)
  try {
    const outcome = await by.measure({ size, folder, say })
    return { ...outcome, size, seconds: Math.ceil((performance.now() - started) / 1000) }
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    rmSync(folder, { recursive: true, force: true })
  }
}

const readFigures = (): Figures => JSON.parse(readFileSync(FIGURES_FILE, 'utf8'))

const broken: string[] = []
for (const claim of values.page ? [] : chosen()) {
  const { id, title } = claim
  const found = await measure(claim)
  if (found === undefined) continue
  const { figure, kept, problems = [], seconds, size } = found
  console.log(`${id} ${kept ? 'holds' : 'DOES NOT HOLD'}: ${title}: ${figure} (${seconds} s)`)
  for (const problem of fewOf(problems)) console.log(`   ${problem}`)
  if (!kept) broken.push(id)
  if (values.short) continue
  const date = new Date().toISOString().slice(0, 10)
  // Read again: another run may have measured something else meanwhile.
  const figures = { ...readFigures(), [id]: { date, size, seconds, kept, figure } }
  writeFileSync(FIGURES_FILE, `${JSON.stringify(figures, null, 2)}\n`)
}
if (!values.short) writeFileSync(PAGE_FILE, writePage(readFigures()))
if (broken.length > 0) {
  console.log(`Not kept: ${broken.join(', ')}.`)
  process.exitCode = 1
}
