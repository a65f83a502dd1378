// The report: one file, small, under a strict policy; hostile names and values run nothing, ask for nothing, say nothing.

import { readFile } from 'node:fs/promises'
import { type Evidence, reportHtml } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvidence } from '../../src/report/read.ts'
import { csvCell, csvText } from '../../src/views/table/csv.ts'
import { HOSTILE, hostile } from './evidences.ts'
import { Reports } from './reports.ts'

let reports: Reports
let evidence: Evidence
beforeAll(async () => {
  reports = await Reports.open()
  evidence = await hostile()
}, 10 * 60_000)
afterAll(() => reports?.close())

describe('the report', { timeout: 5 * 60_000 }, () => {
  it('is one file with nothing to fetch, and a policy that allows one script, one style and no connection', () => {
    const { template } = reports
    expect(template.length).toBeLessThan(200_000)
    expect(template).not.toMatch(/<link[^>]*stylesheet|<script[^>]*src=|@import|url\(/)
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(template)![1]
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; /)
    expect(policy).toContain("connect-src 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('runs nothing of what names and values hold, and shows it as text', async () => {
    expect(JSON.stringify(evidence)).toContain('window.pwned')
    await reports.on(evidence, async page => {
      for (const button of await page
        .getByRole('button', { name: /^(before|after|both|logit|plain|rows|group)/ })
        .all())
        await button.click()
      for (const list of await page.getByRole('listbox').all()) {
        await list.focus()
        for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight')
      }
      expect(await page.evaluate('typeof window.pwned')).toBe('undefined')
      expect(await page.locator('main iframe, main img, main image, main script').count()).toBe(0)
      expect(await page.locator('h1').innerText()).toContain('</script><script>')
      expect(await page.title()).toContain('</script>')
      expect(await page.locator('#moved-rows').innerText()).toContain(HOSTILE[2])
    })
  })

  it('would be stopped by its policy if something did get through', async () => {
    const inject = `new Promise(done => {
      document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective), { once: true })
      const script = document.createElement('script')
      script.textContent = 'window.pwned = 1'
      document.body.append(script)
      if (window.pwned === 1) done('ran')
    })`
    const stopped = reports.on(evidence, page => page.evaluate<string>(inject), {
      expected: /violates the following Content Security Policy/,
    })
    expect(await stopped).toBe('script-src-elem')
  })

  it('saves tables in which no text is a formula', async () => {
    await reports.on(evidence, async page => {
      const saved = page.waitForEvent('download')
      await page
        .locator('#moved-rows')
        .getByRole('button', { name: /as CSV/ })
        .click()
      const text = await readFile(await (await saved).path(), 'utf8')
      expect(text).toContain('HYPERLINK')
      expect(text).not.toMatch(/(^|,|\n)"?[=+@]/)
    })
  })

  it('says so where it holds no evidence', async () => {
    expect(readEvidence('"EVIDENCE"')).toMatchObject({ kind: 'broken' })
    expect(readEvidence('{')).toMatchObject({ kind: 'broken' })
    expect(readEvidence('null')).toMatchObject({ kind: 'broken' })
    expect(readEvidence('{"format":"featureboost-evidence","version":2}')).toMatchObject({
      reason: expect.stringContaining('version 2'),
    })
    expect(readEvidence(JSON.stringify(evidence))).toMatchObject({ kind: 'evidence' })
  })

  it('holds the evidence whole', () => {
    const html = reportHtml(reports.template, evidence)
    const text = /<script type="application\/json" id="evidence">([^<]*)<\/script>/.exec(html)![1]
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(evidence)))
    expect(html.length).toBeLessThan(1_000_000)
  })
})

describe('CSV', () => {
  it('keeps numbers, quotes what needs it, and puts an apostrophe before formulas', () => {
    const cells = ['a', 'b,c', 'say "so"', '=1', '-1', '@x', -1, 0.5, true, null, undefined]
    expect(cells.map(csvCell)).toEqual([
      'a',
      '"b,c"',
      '"say ""so"""',
      `"'=1"`,
      `"'-1"`,
      `"'@x"`,
      '-1',
      '0.5',
      'true',
      '',
      '',
    ])
    expect(csvText(['=a', 'b'], [['x', 1]])).toBe(`"'=a",b\r\nx,1\r\n`)
  })
})
