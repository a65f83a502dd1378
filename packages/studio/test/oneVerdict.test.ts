// One verdict: 200 tables go through the command line, the report and the page, and all three say the same in words and in numbers. Some
// of them as files, from the first byte to the last; the others as tables in memory, by what the commands are made of.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Audit,
  audit,
  collectEvidence,
  type Evidence,
  FeatureBoostError,
  reportHtml,
} from '@featureboost/core'
import { poolingRare } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runAudit } from '../../cli/src/commands/audit.ts'
import { auditJson, layoutAudit } from '../../cli/src/commands/auditReport.ts'
import { runReport } from '../../cli/src/commands/report.ts'
import { readTemplate } from '../../cli/src/report/write.ts'
import { PAGE } from '../../cli/src/terminal/view.ts'
import { openFile } from '../src/data/open.ts'
import { namesOf } from '../src/data/roles.ts'
import { readEvidence } from '../src/report/read.ts'
import { auditOptionsFor, type Choice, tableFor } from '../src/run/choice.ts'
import type { AuditAnswer, News } from '../src/worker/protocol.ts'
import { Session } from '../src/worker/session.ts'
import { type Drawn, draw } from './drawn.ts'
import { type SmallTable, smallTable } from './smallTables.ts'

const TABLES = 200
/** From file to file, which takes longer. */
const AS_FILES = [0, 15, 31, 61, 67, 82, 97, 139]

interface Told {
  /** As if lines had no end. */
  readonly text: string
  readonly json: ReturnType<typeof auditJson>
}

interface Page {
  readonly evidence: Evidence
  readonly news: readonly News[]
}

const choiceOf = ({ roles, words }: SmallTable): Choice => ({
  ...{ roles, words, unread: [], values: {} },
  groups: { kind: 'trees', depth: 2 },
})

const unwrapped = (text: string): string => text.replace(/\s+/g, ' ')

let template = ''
let folder = ''
beforeAll(async () => {
  template = await readTemplate()
  folder = await mkdtemp(join(tmpdir(), 'featureboost-one-verdict-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the commands make of a table in memory: the audit on the terminal and as JSON, and the report beside it. */
async function byCommand(small: SmallTable): Promise<Told & { report: Evidence }> {
  const choice = choiceOf(small)
  const { categorical = [] } = small.words
  const { table: whole } = await openFile('rows.csv', new Blob([small.csv]), { categorical })
  const table = tableFor(whole, choice)
  const { onPhase: _, ...asked } = auditOptionsFor(choice)
  const options = poolingRare(table, asked)
  const found = await audit(table, options)
  const report = await collectEvidence(table, { ...options, audited: found, name: 'rows.csv' })
  return { ...tellOf(found), report: fromFile(reportHtml(template, report)) }
}

function tellOf(found: Audit): Told {
  const report = { found, gates: [], baseline: undefined, details: true }
  return { text: unwrapped(layoutAudit(report, PAGE).join('\n\n')), json: plain(auditJson(report)) }
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

function fromFile(html: string): Evidence {
  const [, text] = /<script type="application\/json" id="evidence">([^<]*)<\/script>/.exec(html)!
  const found = readEvidence(text)
  if (found.kind !== 'evidence') throw new Error('the report holds no evidence')
  return found.evidence
}

/** The same commands, from a file to what they print and write. */
async function byFiles(
  small: SmallTable,
): Promise<Told & { report: Evidence; told: { verdict: string; level: string } }> {
  const file = join(folder, 'rows.csv')
  await writeFile(file, small.csv)
  const [weight] = namesOf(small.roles, 'weight')
  const protect = namesOf(small.roles, 'group')
  const flags = {
    ...{ label: 'y', prediction: 'score', quiet: true, ...small.words },
    ...(weight !== undefined && { weight }),
    ...(protect.length > 0 && { protect }),
  }
  const asText = { ...flags, format: 'text', json: false, details: true } as const
  const text = unwrapped(await printed(() => runAudit([file], asText)))
  const json = JSON.parse(await printed(() => runAudit([file], { ...asText, json: true })))
  const out = join(folder, 'report.html')
  const asReport = { ...flags, out, force: true, includeRows: false, json: true }
  const told = JSON.parse(await printed(() => runReport([file], asReport)))
  return { text, json, told, report: fromFile(await readFile(out, 'utf8')) }
}

async function printed(work: () => Promise<void>): Promise<string> {
  let text = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(piece => {
    text += String(piece)
    return true
  })
  try {
    await work()
  } finally {
    stdout.mockRestore()
  }
  return text
}

/** What the worker of the page answers with, and tells before. */
async function byPage(small: SmallTable): Promise<Page> {
  const session = new Session()
  const { categorical = [] } = small.words
  const blob = new Blob([small.csv])
  await session.answer({ kind: 'open', name: 'rows.csv', blob, written: {}, categorical }, () => {})
  const news: News[] = []
  const answer = await session.answer({ kind: 'audit', choice: choiceOf(small), command: 'audit' }, one => {
    news.push(one)
  })
  return { evidence: (answer as AuditAnswer).evidence, news }
}

const LEVELS: Readonly<Record<string, string>> = { good: 'Good', attention: 'Look closer', bad: 'Act' }

interface Finding {
  readonly group: string
  readonly sentence: string
  readonly test: string
}

const numbersIn = (text: string): number[] =>
  (text.replaceAll('\u2212', '-').match(/[+-]?[\d.]+/g) ?? []).map(Number)

/** "(8,416 rows; +7.5 points, 4.8 to 10.3)" in a table with three decimals, which has room for fewer where a gap is small. */
function expectSameNumbers(said: string, row: Readonly<Record<string, string>>): void {
  const [, rows, ...points] = /\(([\d,]+) rows?; ([+-]?[\d.]+) points, (-?[\d.]+) to (-?[\d.]+)\)$/.exec(
    said,
  )!
  expect(row.rows).toBe(rows)
  const most = Math.abs(Number(points[0])) >= 1 ? 1e-9 : 1e-3
  const shown = numbersIn(row.gap)
  for (const [place, each] of points.entries())
    expect(Math.abs(shown[place] - Number(each) / 100), said).toBeLessThanOrEqual(most)
}

/** Everything that is compared, of one drawing and of the terminal. */
function expectSame({ json, text }: Told, drawn: Drawn): void {
  const worst = json.worst as Finding[]
  expect(text.startsWith(`Verdict: ${json.verdict} `)).toBe(true)
  expect(drawn.verdict).toBe(json.verdict)
  expect(drawn.level).toBe(LEVELS[json.level as string])
  const { sentence } = json.significance as { sentence: string }
  expect(drawn.details).toEqual([sentence])
  expect(text).toContain(`In numbers: ${sentence}`)
  const listed = drawn.worst.filter(({ list }) => list === 'worst')
  expect(listed.map(row => row.group)).toEqual(worst.map(({ group }) => group))
  const sure = worst.filter(({ group, sentence, test }, index) => {
    const said = sentence.slice(group.length + 2, -1)
    const line = `${index + 1}. ${group} ${said}; ${test}`
    expect(text).toContain(line)
    expectSameNumbers(said, listed[index])
    return !text.includes(`${line}; may be noise`)
  })
  // The first figure has the first of those that the terminal is sure of, or the nearest, in the same words.
  const first = sure.length > 0 ? sure.slice(0, 8) : worst.slice(0, 5)
  expect(drawn.hero).toEqual(first.map(({ sentence }) => sentence.slice(0, -1)))
  if (first.length > 0)
    expect(drawn.heroReading).toMatch(sure.length > 0 ? /that matters? most/ : /No group is surely off/)
  for (const { measure, value } of drawn.measures)
    expect(text).toContain(`${measure} ${value.replaceAll('\u2212', '-')} `)
  const named = (json.protected ?? []) as { group: string; weight: number }[]
  expect(drawn.named.map(row => row.group)).toEqual(named.map(({ group }) => group))
}

/** The page tells the verdict before its figures are there. */
const firstOf = ({ news }: Page) => news.flatMap(each => (each.kind === 'found' ? [each.first] : []))

/** What is made at other times, or of other commands. */
const lasting = ({ about, ...rest }: Evidence): string =>
  JSON.stringify({ ...rest, about: { ...about, command: '', name: '' } })

/** How a table is refused; undefined where it is taken. */
const refusalOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work
  } catch (error) {
    if (error instanceof FeatureBoostError) return error.message
    throw error
  }
}

describe('one verdict', { timeout: 10 * 60_000 }, () => {
  it(`is what the command line, the report and the page say of ${TABLES} tables`, async () => {
    let audited = 0
    for (let index = 0; index < TABLES; index++) {
      const small = smallTable(index)
      const refused = await refusalOf(byCommand(small).then(told => compare(told, small)))
      if (refused === undefined) audited++
      else expect(await refusalOf(byPage(small)), small.name).toBe(refused)
    }
    expect(audited).toBeGreaterThan(0.8 * TABLES)
  })

  async function compare(told: Told & { report: Evidence }, small: SmallTable): Promise<void> {
    const page = await byPage(small)
    try {
      // What is drawn of the same evidence is the same.
      expect(lasting(page.evidence)).toBe(lasting(told.report))
      expectSame(told, draw(page.evidence))
      const worst = (told.json.worst as Finding[]).slice(0, 5).map(({ sentence }) => sentence)
      expect(firstOf(page)).toEqual([{ verdict: told.json.verdict, worst }])
    } catch (error) {
      throw new Error(`table ${small.name}: ${error instanceof Error ? error.message : error}`)
    }
  }

  it('is the same from files, as the commands read and write them', async () => {
    for (const index of AS_FILES) {
      const small = smallTable(index)
      const [inMemory, fromFiles] = [await byCommand(small), await byFiles(small)]
      expect(fromFiles.json.verdict, small.name).toBe(inMemory.json.verdict)
      expect(fromFiles.told, small.name).toMatchObject({
        verdict: inMemory.json.verdict,
        level: inMemory.json.level,
      })
      expect(fromFiles.report.worst, small.name).toEqual(inMemory.report.worst)
      expectSame(fromFiles, draw(fromFiles.report))
    }
  })
})
