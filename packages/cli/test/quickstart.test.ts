// docs/quickstart.md: its commands run, from a folder with the table alone, and print what the page shows, numbers aside. The
// table is made up here, with the columns of the real one; where the real one is at hand, it is tried too.

import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeRandom } from '@featureboost/core/internal'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ADULT, QUICKSTART, readTranscripts, runTyped } from '../../../scripts/write-quickstart.ts'

const page = readFileSync(QUICKSTART, 'utf8')
const transcripts = readTranscripts(page)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-quickstart-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** People whose income goes with schooling, age and marriage; an eighth of them stands there twice. */
function standIn(rows: number): string {
  const random = makeRandom(11)
  const pick = (...words: string[]) => words[random.integer(words.length)]
  const lines = Array.from({ length: rows }, () => {
    const age = 17 + random.integer(60)
    const schooling = 1 + random.integer(16)
    const married = random.next() < 0.5
    const chance = (married ? 0.35 : 0.05) + 0.02 * schooling + (age > 30 ? 0.1 : 0)
    return [
      age,
      pick('Private', 'State-gov', ''),
      10_000 + random.integer(90_000),
      `level-${schooling}`,
      schooling,
      married ? 'Married-civ-spouse' : 'Never-married',
      pick('Sales', 'Tech-support', 'Craft-repair'),
      married ? 'Husband' : 'Own-child',
      pick('White', 'Black', 'Other'),
      pick('Male', 'Female'),
      random.next() < 0.9 ? 0 : random.integer(10_000),
      0,
      20 + random.integer(40),
      pick('United-States', 'Mexico'),
      Number(random.next() < chance),
    ].join(',')
  })
  const header =
    'age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,capital_loss,hours_per_week,native_country,label'
  const copies = lines.filter((_, row) => row % 8 === 0)
  return `${[header, ...lines, ...copies].join('\n')}\n`
}

/** The first line of every paragraph, and every line of the table of measures: numbers, hashes and padding masked. */
const shapeOf = (output: string): string[] =>
  output
    .trimEnd()
    .split('\n\n')
    .flatMap(paragraph =>
      paragraph.startsWith('measure') ? paragraph.split('\n') : paragraph.split('\n', 1),
    )
    .map(line =>
      line
        // What few made-up rows can prove is not what the real ones can.
        .replace(/^Verdict: .*/, 'Verdict')
        .replace(/SHA-256 [0-9a-f]+/, 'SHA-256 #')
        .replace(/[-+]?[\d,]*\d(\.\d+)?(e[-+]?\d+)?/g, '#')
        .replace(/ +(better|worse)$/, '')
        .replace(/ +/g, ' ')
        .replace(/─+ ?/g, '─'),
    )

function check(): void {
  expect(transcripts.map(({ command }) => command.split(' ')[1])).toEqual(['fit', 'verify', 'predict'])
  for (const { command, output } of transcripts) {
    expect(shapeOf(runTyped(command, folder).output), command).toEqual(shapeOf(output))
  }
  expect(readdirSync(folder).sort()).toEqual(['adult.csv.gz', 'adult.fb.json', 'scored.csv'])
}

describe('the quickstart', () => {
  it('shows three commands: a score that gets better, a certificate that is verified, rows that are written', () => {
    const [fit, verify, predict] = transcripts.map(({ output }) => output)
    expect(fit).toMatch(/^Verdict: Better on [\d,]+ held-out rows: /)
    expect(verify).toMatch(/^Verified\./)
    expect(predict).toBe('48,842 rows written to scored.csv, corrected scores in "corrected".\n')
    for (const line of [fit, verify, predict].join('').split('\n'))
      expect(line.length).toBeLessThanOrEqual(80)
  })

  it('runs from an empty folder, on rows like those', () => {
    writeFileSync(join(folder, 'adult.csv.gz'), gzipSync(standIn(3000)))
    check()
  })

  it.runIf(existsSync(ADULT))('runs on the real table', () => {
    copyFileSync(ADULT, join(folder, 'adult.csv.gz'))
    check()
  })

  it('is quoted by the README, line by line', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
    const quoted = readme
      .match(/```console\n\$ featureboost fit adult[\s\S]*?\n```/)![0]
      .split('\n')
      .slice(1, -1)
    expect(quoted.length).toBeGreaterThan(10)
    const lines = page.split('\n')
    for (const line of quoted.filter(each => each !== '...')) expect(lines).toContain(line)
  })
})
