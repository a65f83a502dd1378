// What a certificate says of new rows: who is counted, what is assumed, and what the paper's own bound makes of it.

import { describe, expect, it } from 'vitest'
import { paperAtRows } from '../../src/certify/paperAtRows.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { formatBound } from '../../src/common/text.ts'
import { type Auditors, type FitOptions, fit, linear, makeTable, trees } from '../../src/index.ts'
import { base, certificateOf, columnOf, declared, table, young } from './certified.ts'

describe('held-out rows', () => {
  it.each<[string, Auditors, boolean]>([
    ['groups', declared, true],
    ['trees', trees(), true],
    ['functions', young, true],
    ['linear', linear(), false],
  ])('of a fit with %s', async (_, auditors, present) => {
    const certificate = await certificateOf({ auditors, holdout: 0.3, roundLimit: 1 })
    expect(certificate.heldOut !== undefined).toBe(present)
    expect(certificate.rows.holdoutWeight).toBeGreaterThan(0)
    const words = certificate.proven.filter(text => text.startsWith('On new rows the '))
    expect(words).toHaveLength(present ? (auditors.kind === 'functions' ? 2 : 3) : 0)
    if (present) expect(words[1]).toContain(formatBound(certificate.heldOut!.multicalibration.bound, 4))
    expect(certificate.proven[0]).toContain(present ? 'assumes that the' : 'Of new rows nothing is said.')
    expect(certificate.caveats.some(text => text.includes('Nothing here is proven about other rows'))).toBe(
      !present,
    )
    expect(certificate.caveats.join(' ')).not.toContain('no rows were held out')
  })

  it('are named by how they were held out', async () => {
    const people = makeTable({
      ...Object.fromEntries(
        ['y', 'score', 'age', 'region', 'fold'].map(name => [name, columnOf(table, name)]),
      ),
      person: Array.from({ length: table.rowCount }, (_, row) => `p${row % 90}`),
    })
    const heldOutOf = async (options: Partial<FitOptions>) => {
      const except = options.fold === undefined ? ['fold', 'person'] : ['person']
      const fitted = await fit(people, {
        ...base,
        except,
        method: 'rounds',
        auditors: declared,
        roundLimit: 1,
        ...options,
      })
      const { heldOut, proven } = fitted.certificate
      return { assumed: proven[0], proven, heldOut: heldOut! }
    }
    const random = await heldOutOf({ holdout: 0.2, seed: 4 })
    expect(random.assumed).toContain(
      `What is said of new rows assumes that the ${random.heldOut.units!.rows} held-out rows (20 % of the rows, seed 4) were drawn independently of each other from the population that new rows come from; each such statement then holds with probability 0.95.`,
    )
    const marked = await heldOutOf({ fold: 'fold' })
    expect(marked.assumed).toContain('held-out rows (marked in column fold)')
    const { bound, measured, slack } = marked.heldOut.multicalibration
    const shown = [bound, measured, slack].map(value => formatBound(value, 4))
    expect(marked.proven).toContain(
      `On new rows the multicalibration error of every such auditor is at most ${shown[0]}: the largest on the held-out rows is at most ${shown[1]}, and the worst auditor's may be ${shown[2]} more.`,
    )
    const ids = await heldOutOf({ holdout: 0.25, groupBy: 'person', except: ['fold'] })
    const { count, rows } = ids.heldOut.units!
    expect(count).toBeLessThan(rows / 2)
    expect(ids.assumed).toContain(
      `${rows} held-out rows (25 % of the ids in column person, seed 1) are ${count} independent draws, one for each id, from the population`,
    )
  })

  it('that chose between rounds are charged for it, and say so', async () => {
    const options = { auditors: declared, holdout: 0.3, epsilon: 0.2 } as const
    const { claim, proven } = await certificateOf({ ...options, stop: 'validation', patience: 1 })
    expect(claim.candidates).toBeGreaterThan(1)
    expect(proven.join(' ')).toContain(
      `Held-out rows had a say in what was chosen: that is paid for as a choice between ${claim.candidates} predictors.`,
    )
    const fixed = await certificateOf({ ...options, roundLimit: 1 })
    expect(fixed.proven.join(' ')).not.toContain('paid for')
    const compared = await certificateOf({ ...options, roundLimit: 1, chosenFrom: 14 })
    expect(compared.claim.candidates).toBe(14)
    expect(compared.heldOut!.multicalibration.slack).toBeGreaterThan(fixed.heldOut!.multicalibration.slack)
  })

  it('with weights assume that none could have been heavier, and say less than as many equal rows', async () => {
    const weighted = makeTable({
      ...Object.fromEntries(['y', 'score', 'age', 'region'].map(name => [name, columnOf(table, name)])),
      w: Array.from({ length: table.rowCount }, (_, row) => 1 + (row % 2)),
    })
    const options = { ...base, except: [], auditors: declared, holdout: 0.3, roundLimit: 1 }
    const { heldOut, proven } = (await fit(weighted, { ...options, weight: 'w' })).certificate
    expect(heldOut!.units).toMatchObject({ largestWeight: 2 })
    expect(proven[0]).toContain('none of which could have weighed more than the heaviest here')
    const plain = (await fit(weighted, { ...options, except: ['w'] })).certificate
    expect(plain.proven[0]).not.toContain('weighed')
    expect(heldOut!.multicalibration.slack).toBeGreaterThan(plain.heldOut!.multicalibration.slack)
  })

  it('count a row and its copies as one draw, unless told that they are independent', async () => {
    const again = makeTable(
      Object.fromEntries(
        ['y', 'score', 'age', 'region'].map(name => {
          const values = columnOf(table, name)
          return [name, Array.from({ length: 20 }, () => values).flat()]
        }),
      ),
    )
    const options = { ...base, except: [], auditors: declared, holdout: 0.3, roundLimit: 1 }
    const one = (await fit(again, { ...options, copies: 'one' })).certificate
    const { count, rows, weight } = one.heldOut!.units!
    expect([count, weight]).toEqual([rows, expect.any(Number)])
    expect(weight).toBeGreaterThanOrEqual(20 * count)
    expect(one.proven[0]).toContain(
      `${count} held-out rows (30 % of the rows, seed 1; a row and its exact copies being one) were drawn`,
    )
    const independent = (await fit(again, options)).certificate
    expect(independent.heldOut!.multicalibration.slack).toBeLessThan(
      0.3 * one.heldOut!.multicalibration.slack,
    )
  })

  it("stand beside the paper's own bound, which is vacuous and says from where on it would not be", async () => {
    const { heldOut, proven, rows } = await certificateOf({
      auditors: declared,
      holdout: 0.3,
      roundLimit: 1,
    })
    const { paper } = heldOut!
    expect(paper).toEqual({ rows: rows.fitWeight, vacuous: true, rowsNeeded: expect.any(Number) })
    const needed = paper!.rowsNeeded!.toExponential(1).replace('+', '')
    expect(needed).toMatch(/^\d\.\de\d+$/)
    expect(proven.at(-1)).toBe(
      `The paper's own bound on the multicalibration error on new rows is vacuous at n = ${rows.fitWeight} fitting rows; it needs n >= ${needed}.`,
    )
    const one = await certificateOf({ auditors: declared, holdout: 0.3, bins: 1, roundLimit: 1 })
    expect(one.proven.at(-1)).toMatch(/is vacuous at n = \d+ fitting rows; no n is enough\.$/)
  })

  it("give the paper's bound for the boosted class, the rounds its planned tolerance allows and the tolerance it reached", async () => {
    const options = { auditors: trees({ depth: 3 }), holdout: 0.3, bins: 6, roundLimit: 2, tolerance: 1e-5 }
    const { certificate, data } = await fit(table, { ...base, ...options })
    const { claim, rounds, rows, tolerances } = certificate
    expect(rounds).toBe(2)
    // 1 / 1e-5 rounds could have been accepted: that number was fixed before the run, the 2 were not.
    const reached = { tolerance: tolerances.at(-1)!.tolerance, rounds: 100_000 }
    const compiled = compileAuditors(options.auditors, 'table', data.encoding)
    const at = { rows: rows.fitWeight, bins: 6, confidence: claim.confidence }
    const expected = paperAtRows(compiled, { ...at, ...reached })
    expect(certificate.heldOut!.paper).toEqual(expected)
    // Each of these would be another number.
    const { rowsNeeded } = expected
    const shallow = compileAuditors(trees({ depth: 2 }), 'table', data.encoding)
    expect(paperAtRows(shallow, { ...at, ...reached }).rowsNeeded).not.toBe(rowsNeeded)
    expect(paperAtRows(compiled, { ...at, ...reached, rounds }).rowsNeeded).not.toBe(rowsNeeded)
    const constant = tolerances[0].tolerance
    expect(paperAtRows(compiled, { ...at, ...reached, tolerance: constant }).rowsNeeded).not.toBe(rowsNeeded)
  })

  it('have no such bound beside them where more was done than was fixed before, or nothing that the paper counts', async () => {
    const options = { ...base, auditors: declared, holdout: 0.3, roundLimit: 3 } as const
    const heldOutOf = async (more: Partial<FitOptions>) =>
      (await fit(table, { ...options, ...more })).certificate.heldOut!
    expect(await heldOutOf({ tolerance: 1e-4 })).toHaveProperty('paper')
    // A tolerance of 0.9 allows one round.
    const long = await fit(table, { ...options, stop: 'validation', learningRate: 0.05, tolerance: 0.9 })
    expect(long.certificate.rounds).toBeGreaterThan(1)
    expect(long.certificate.heldOut).not.toHaveProperty('paper')
    const { auditors: _, epsilon: __, roundLimit: ___, stop: ____, ...plain } = options
    expect((await fit(table, { ...plain, method: 'platt' })).certificate.heldOut).not.toHaveProperty('paper')
    const weights = Array.from({ length: table.rowCount }, (_, row) => 1 + (row % 2))
    const columns = Object.fromEntries(
      ['y', 'score', 'age', 'region', 'fold'].map(name => [name, columnOf(table, name)]),
    )
    const weighted = makeTable({ ...(columns as Record<string, number[]>), w: weights })
    const unequal = (await fit(weighted, { ...options, weight: 'w', tolerance: 1e-4 })).certificate
    expect(unequal.heldOut).not.toHaveProperty('paper')
  })

  it('are not spoken of where there are none', async () => {
    const certificate = await certificateOf({ auditors: declared, roundLimit: 1 })
    expect(certificate).not.toHaveProperty('heldOut')
    expect(certificate.rows).not.toHaveProperty('holdoutWeight')
    expect(certificate.caveats).toContain(
      'Nothing here is proven about other rows than these: no rows were held out.',
    )
  })
})
