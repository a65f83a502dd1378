// The whole story in a real browser: load, roles, audit, look into a group, bins, fit, stop, take home. What is taken home is
// what the command line makes, byte for byte, from the command that the page prints.

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  audit,
  checkAccess,
  commandOf,
  fit,
  goTo,
  loadFile,
  onPage,
  openStudio,
  roleOf,
  type Studio,
  saved,
  setRole,
} from './pages.ts'
import { writeLending } from './people.ts'

const MAIN = fileURLToPath(new URL('../../cli/bin/featureboost.js', import.meta.url))
const BUILT = fileURLToPath(new URL('../../cli/dist/studio/index.html', import.meta.url))
const ROWS = 3000

let studio: Studio
let csv: string
let parquet: string

beforeAll(async () => {
  studio = await openStudio()
  csv = join(studio.folder, 'loans.csv')
  parquet = join(studio.folder, 'loans.parquet')
  await writeLending(csv, parquet, ROWS)
}, 20 * 60_000)

afterAll(() => studio?.close(), 60_000)

/** What the command line writes for the command that the page prints. */
async function modelByCommand(command: string): Promise<string> {
  const [, rest, out] = /^featureboost (.*) --out (\S+)$/s.exec(command)!
  const script = `exec "${process.execPath}" "${MAIN}" ${rest} --out ${out} --force --no-audit --quiet`
  await promisify(execFile)('sh', ['-c', script], { cwd: studio.folder, timeout: 120_000 })
  return await readFile(join(studio.folder, out), 'utf8')
}

/** The model that is taken home is that of the command line. */
async function expectSameModel(page: Page): Promise<string> {
  const command = await commandOf(page, 'The correction')
  const { file, text } = await saved(page, 'Model')
  expect(command).toContain(`--out ${file}`)
  expect(text).toBe(await modelByCommand(command))
  return command
}

describe('the studio', { timeout: 5 * 60_000 }, () => {
  it('goes from a CSV file to a certified model', async () => {
    await onPage(studio, async page => {
      await checkAccess(page)
      expect(await page.evaluate('crossOriginIsolated')).toBe(true)
      await loadFile(page, csv)
      const roles = await Promise.all(['defaulted', 'score', 'id', 'income'].map(name => roleOf(page, name)))
      expect(roles).toEqual(['label', 'score', 'out', 'feature'])
      await setRole(page, 'copies', 'weight')
      await checkAccess(page)
      await audit(page)
      expect(await commandOf(page, 'The audit')).toBe(
        'featureboost audit loans.csv --label defaulted --prediction score --weight copies --except id',
      )
      await goTo(page, 'Audit')
      await lookIntoGroup(page)
      await moveSlider(page)
      await fit(page)
      await checkAccess(page)
      await goTo(page, 'Fit')
      await page.getByRole('heading', { name: 'Certificate' }).waitFor()
      await page.getByText('More options').click()
      await checkAccess(page)
      await expectSameModel(page)
      await takeHome(page)
    })
  })

  it('goes from a Parquet file and other options to the model of the command line', async () => {
    await onPage(studio, async page => {
      await loadFile(page, parquet)
      await setRole(page, 'region', 'group')
      await setRole(page, 'employment', 'group')
      await setRole(page, 'applied', 'out')
      await goTo(page, 'Fit')
      await page.getByLabel('groups').selectOption('columns')
      await page.getByLabel('epsilon').fill('0.1')
      await page.getByText('More options').click()
      await page.getByLabel('stop').selectOption('certificate')
      await page.getByLabel('holdout').fill('0.25')
      await fit(page)
      const command = await expectSameModel(page)
      expect(command).toContain(
        '--auditors groups:employment,region --method rounds --epsilon 0.1 --stop certificate --holdout 0.25',
      )
      await goTo(page, 'Fit')
      await page.locator('.curve').waitFor()
    })
  })

  it('cancels a fit, and keeps the best so far where that is asked for', async () => {
    await onPage(studio, async page => {
      await loadFile(page, csv)
      await setRole(page, 'applied', 'out')
      await goTo(page, 'Fit')
      await page.getByLabel('epsilon').fill('0.01')
      await page.getByText('More options').click()
      await page.getByLabel('method').selectOption('rounds')
      await page.getByLabel('stop').selectOption('validation')
      // Trees that are grown greedily go on for as long as there is anything to gain.
      await page.getByLabel('search', { exact: true }).selectOption('greedy')
      await page.getByLabel('learningRate').fill('0.001')
      await page.getByLabel('patience').fill('1000')
      await page.getByRole('button', { name: 'Fit a correction' }).click()
      await page.locator('.curve').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Stopped. Nothing was changed.').waitFor()
      expect(await page.locator('#results').count()).toBe(0)
      await page.getByRole('button', { name: 'Fit a correction' }).click()
      await page.getByRole('button', { name: 'Stop and keep the best so far' }).click()
      await page.getByRole('heading', { name: 'Before and after' }).waitFor()
      expect(await expectSameModel(page)).toMatch(/--round-limit \d+/)
    })
  })

  it('compares methods, and shows what the command line finds', async () => {
    const few = join(studio.folder, 'few.csv')
    await writeFile(few, (await readFile(csv, 'utf8')).split('\n').slice(0, 601).join('\n'))
    await onPage(studio, async page => {
      await loadFile(page, few)
      await audit(page)
      await page.getByRole('button', { name: 'Compare methods' }).click()
      await page.getByRole('heading', { name: 'Methods' }).waitFor()
      const rows = await page.locator('#methods tr').allInnerTexts()
      const given = ['compare', few, '--label', 'defaulted', '--prediction', 'score']
      const args = [MAIN, ...given, '--except', 'id', '--json', '--quiet']
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
      const { methods } = JSON.parse(stdout) as {
        methods: { method: string; measures: { logLoss: { value: number } } }[]
      }
      // A heading, the score itself, and every method.
      expect(rows).toHaveLength(2 + methods.length)
      for (const { measures, method } of methods) {
        const row = rows.find(text => text.startsWith(`${method}\t`))
        expect(row).toContain(measures.logLoss.value.toFixed(4))
      }
      await checkAccess(page)
    })
  })

  it('tells of the example what was planted in it, what was found, and what became of it', async () => {
    await onPage(studio, async page => {
      await page.getByRole('button', { name: 'Try the example' }).click()
      await page.getByRole('heading', { name: 'Columns' }).waitFor()
      await audit(page)
      const story = page.locator('#planted')
      const [, planted, found, of] = /^(\d+) errors were planted; found (\d+) of (\d+)$/.exec(
        await story.getByRole('heading').innerText(),
      )!
      expect(of).toBe(planted)
      expect(await story.locator('tbody tr').count()).toBe(Number(planted))
      expect(await story.locator('tbody tr').filter({ hasText: 'not found' }).count()).toBe(
        Number(planted) - Number(found),
      )
      await story.locator('tbody tr').first().locator('td').nth(1).click()
      const card = page.locator('.chosen-card')
      await card.waitFor()
      await checkAccess(page)
      await story.locator('button.link').first().click()
      expect(await page.locator('#worst tr.same').count()).toBe(1)
      await page.getByRole('button', { name: 'Choose no group' }).click()
      await fit(page)
      await goTo(page, 'Fit')
      await page.getByRole('heading', { name: 'Segment map' }).waitFor()
      expect(await story.locator('.reading').innerText()).toMatch(
        /Measured on the [\d,]+ of 100,000 rows that the fit has not seen/,
      )
      expect(await story.locator('thead').innerText()).toMatch(/gap before[\s\S]*gap after/)
      expect(await story.locator('tbody tr').count()).toBe(Number(planted))
      await checkAccess(page)
    })
  })

  it('cancels an audit', async () => {
    await onPage(studio, async page => {
      await page.getByRole('button', { name: 'Try the example' }).click()
      await page.getByRole('button', { name: 'Audit the score' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Stopped. Nothing was changed.').waitFor()
      expect(await page.locator('#results').count()).toBe(0)
    })
  })

  it('starts from the base rate where there is no score, and an audit afterwards keeps the model', async () => {
    await onPage(studio, async page => {
      await loadFile(page, csv)
      await setRole(page, 'score', 'out')
      await page.getByText('No score is chosen').waitFor()
      expect(await page.getByRole('button', { name: 'Audit the score' }).isDisabled()).toBe(true)
      await fit(page)
      expect(await expectSameModel(page)).not.toContain('--prediction')
      await goTo(page, 'Data')
      await setRole(page, 'score', 'score')
      await audit(page)
      await goTo(page, 'Take home')
      await page.getByText('The command that repeats this audit').waitFor()
      expect(await page.getByRole('button', { name: 'Model', exact: true }).count()).toBe(1)
    })
  })

  it('says what is wrong with a file, and takes the next one', async () => {
    const broken = join(studio.folder, 'broken.csv')
    await writeFile(broken, 'a,b\n1,2\n3\n')
    await onPage(studio, async page => {
      await page.locator('input[type=file]').setInputFiles(broken)
      await page.getByRole('alert').getByText('Line 3: 1 field where the header line has 2').waitFor()
      await checkAccess(page)
      await loadFile(page, csv)
    })
  })

  it('asks for a label where none can be guessed, and says why a column is none', async () => {
    const file = join(studio.folder, 'plain.csv')
    const rows = Array.from(
      { length: 50 },
      (_, row) => `${row / 50},${row % 7},${'xyz'[row % 3]},2021-03-04 05:06 PM`,
    )
    await writeFile(file, `p,b,c,when\n${rows.join('\n')}\n`)
    await onPage(studio, async page => {
      await loadFile(page, file)
      await page.getByText('Choose the label').waitFor()
      await page.getByText('can be read in several ways').waitFor()
      expect(await page.getByRole('button', { name: 'Audit the score' }).isDisabled()).toBe(true)
      await setRole(page, 'b', 'label')
      await page.getByText('Some values are outside 0 to 1').waitFor()
      await checkAccess(page)
      await setRole(page, 'b', 'feature')
      await setRole(page, 'p', 'label')
      await goTo(page, 'Fit')
      expect(await page.getByRole('button', { name: 'Fit a correction' }).isDisabled()).toBe(false)
    })
  })

  it('reads outcomes in words, scores in percent, codes that are names, and leaves out rows without a label', async () => {
    const file = join(studio.folder, 'words.csv')
    const rows = Array.from({ length: 900 }, (_, row) => {
      const [branch, zip] = [[7, 12, 30][row % 3], ['01067', '10115', '80331'][(row >> 2) % 3]]
      const isGood = (row * 7919) % 100 < (branch === 12 ? 25 : 60)
      return [branch, zip, row % 50, (row * 37) % 101, row % 90 === 89 ? '' : isGood ? 'good' : 'bad'].join(
        ',',
      )
    })
    await writeFile(file, `branch,zip,age,percent,outcome\n${rows.join('\n')}\n`)
    await onPage(studio, async page => {
      await loadFile(page, file)
      expect(await roleOf(page, 'outcome')).toBe('label')
      await setRole(page, 'percent', 'score')
      await page.getByText('Two values, bad and good. Which of them counts as 1?').waitFor()
      await page.getByLabel('Value of outcome that counts as 1').selectOption('good')
      await page.getByText('10 rows have no label.').waitFor()
      await page.getByLabel('Leave out rows without a label').check()
      await page.getByText('From 0 to 100: these look like percentages.').waitFor()
      expect(await page.getByRole('button', { name: 'Audit the score' }).isDisabled()).toBe(true)
      await page.getByLabel('Scale of percent').selectOption('percent')
      const branch = page.getByRole('row', { name: 'branch' })
      // It shows what is chosen once the file has been read again.
      await branch.getByLabel('Numbers are names').click()
      await branch.getByRole('cell', { name: 'text', exact: true }).waitFor()
      await checkAccess(page)
      await fit(page)
      const command = await expectSameModel(page)
      expect(command).toContain(
        '--label outcome --prediction percent --positive good --score-scale percent --categorical branch --drop-missing-labels',
      )
      const model = JSON.parse((await saved(page, 'Model')).text)
      expect(model.encoding.features.slice(0, 2)).toMatchObject([
        { numbers: true, categories: ['12', '30', '7'] },
        { categories: ['01067', '10115', '80331'] },
      ])
      const scored = await saved(page, 'Scored table (CSV)')
      expect(scored.text.trimEnd().split('\n')).toHaveLength(901)
    })
  })

  it('asks how a file is encoded and where decimals begin, and prints both with the command', async () => {
    const file = join(studio.folder, 'komma.csv')
    const comma = (value: number) => value.toFixed(3).replace('.', ',')
    const rows = Array.from({ length: 900 }, (_, row) => {
      const city = ['Köln', 'Zürich', 'Bern'][row % 3]
      const score = 0.05 + ((row * 37) % 90) / 100
      const isOff = city === 'Köln' ? 0.2 : 0
      return [
        city,
        comma((row % 50) / 7),
        comma(score),
        Number((row * 7919) % 100 < 100 * (score + isOff)),
      ].join(';')
    })
    await writeFile(file, Buffer.from(`city;x;score;y\n${rows.join('\n')}\n`, 'latin1'))
    await onPage(studio, async page => {
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('alert').getByText('bytes that are no UTF-8. Say how it is encoded').waitFor()
      await checkAccess(page)
      await page.getByLabel('Encoding').selectOption('latin-1')
      await page.getByRole('button', { name: 'Read again' }).click()
      await page.getByText('"score" holds numbers with a decimal comma').waitFor()
      expect(await page.getByRole('button', { name: 'Audit the score' }).isDisabled()).toBe(true)
      await page.getByText('How the file is written', { exact: true }).click()
      expect(await page.getByLabel('Encoding').inputValue()).toBe('latin-1')
      await page.getByLabel('Decimal mark').selectOption(',')
      await checkAccess(page)
      await page.getByRole('button', { name: 'Read again' }).click()
      await page
        .getByRole('row', { name: 'score' })
        .getByRole('cell', { name: 'number', exact: true })
        .waitFor()
      expect(await roleOf(page, 'score')).toBe('score')
      await fit(page)
      expect(await expectSameModel(page)).toContain(
        'featureboost fit komma.csv --encoding latin-1 --decimal , --label y --prediction score',
      )
      const scored = await saved(page, 'Scored table (CSV)')
      expect(scored.text).toMatch(/^city;x;score;y;corrected\nKöln;0,000;0,050;\d;0\.\d+\n/)
    })
  })

  it('works from a file, and from a host without isolation', async () => {
    const small = join(studio.folder, 'small.csv')
    // Few rows and few columns: what is asked here is whether workers start and agree.
    const lines = (await readFile(csv, 'utf8')).split('\n').slice(0, 801)
    await writeFile(small, lines.map(line => line.split(',').slice(-4).join(',')).join('\n'))
    const html = await readFile(BUILT)
    const host = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html))
    await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
    const homes = [pathToFileURL(BUILT).href, `http://127.0.0.1:${(host.address() as AddressInfo).port}/`]
    try {
      for (const home of homes) {
        const use = async (page: Page) => {
          expect(await page.evaluate('crossOriginIsolated')).toBe(false)
          await loadFile(page, small)
          await fit(page)
          await expectSameModel(page)
        }
        await onPage(studio, use, home)
      }
    } finally {
      host.closeAllConnections()
      host.close()
    }
  })
})

async function lookIntoGroup(page: Page): Promise<void> {
  await page.locator('.segment-marks').focus()
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Look into this group' }).click()
  await page.getByRole('heading', { name: /^Only the rows where/ }).waitFor()
  expect(await page.locator('.ev-command').innerText()).toContain("--sql 'select * from data where")
  await checkAccess(page)
  await page.getByRole('link', { name: 'Back to all rows' }).click()
  await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor()
}

async function moveSlider(page: Page): Promise<void> {
  const slider = page.locator('#rounding input[type=range]')
  const before = await slider.getAttribute('aria-valuetext')
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await slider.getAttribute('aria-valuetext')).not.toBe(before)
}

async function takeHome(page: Page): Promise<void> {
  await goTo(page, 'Take home')
  const scored = await saved(page, 'Scored table (CSV)')
  const [header, ...lines] = scored.text.trimEnd().split('\n')
  expect(header.split(',').at(-1)).toBe('corrected')
  expect(lines).toHaveLength(ROWS)
  expect(lines.every(line => Number(line.split(',').at(-1)) >= 0)).toBe(true)
  const certificate = JSON.parse((await saved(page, 'Certificate')).text)
  const model = JSON.parse((await saved(page, 'Model')).text)
  expect(model.certificate).toEqual(certificate)
  const report = await saved(page, 'Report (HTML)')
  expect(report.text).toContain('featureboost-evidence')
  await goTo(page, 'Fit')
  const svg = await saved(page, /SVG/)
  expect(svg.text).toMatch(/^<svg/)
  const table = await saved(page, /as CSV/)
  expect(table.text.split('\r\n').length).toBeGreaterThan(2)
}
