// The demo's population: right on average, wrong where an error was planted, right everywhere else.

import { describe, expect, it } from 'vitest'
import {
  isUntouched,
  makeLendingPopulation,
  PLANTED_ERRORS,
  type ScoredApplicant,
} from '../src/demo/population.ts'

const { columns, truth } = makeLendingPopulation({ rows: 60_000, seed: 7 })

const applicants = truth.map(
  (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row]])) as never,
) as ScoredApplicant[]

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const rowsWhere = (contains: (applicant: ScoredApplicant) => boolean) =>
  truth.map((_, row) => row).filter(row => contains(applicants[row]))

const meanError = (rows: readonly number[]) => mean(rows.map(row => columns.score[row] - truth[row]))

const shareOf = (contains: (applicant: ScoredApplicant) => boolean) =>
  rowsWhere(contains).length / truth.length

describe('the lending population', () => {
  it('is the same for the same seed and another for another seed', () => {
    const make = (seed: number) => makeLendingPopulation({ rows: 500, seed })
    expect(make(3)).toEqual(make(3))
    expect(make(3)).not.toEqual(make(4))
  })

  it('begins alike whatever the number of rows', () => {
    const short = makeLendingPopulation({ rows: 100, seed: 7 })
    expect(short.truth).toEqual(truth.slice(0, 100))
    expect(short.columns.score).toEqual(columns.score.slice(0, 100))
  })

  it('keeps every score and every truth strictly between 0 and 1', () => {
    const outside = [...columns.score, ...truth].filter(probability => !(probability > 0 && probability < 1))
    expect(outside).toEqual([])
  })

  it('draws labels from the truth, at every height of it', () => {
    for (const low of [0, 0.1, 0.2, 0.3, 0.5]) {
      const rows = rowsWhere(() => true).filter(row => truth[row] >= low && truth[row] < low + 0.1)
      const gap = mean(rows.map(row => columns.defaulted[row] - truth[row]))
      expect(Math.abs(gap)).toBeLessThan(4 * Math.sqrt(0.25 / rows.length))
    }
  })

  it('has the shape of a loan book', () => {
    expect(mean(truth)).toBeGreaterThan(0.24)
    expect(mean(truth)).toBeLessThan(0.26)
    expect(Math.abs(shareOf(row => row.debt_ratio === 0) - 0.3)).toBeLessThan(0.02)
    expect(Math.abs(shareOf(row => row.income === null) - 0.12)).toBeLessThan(0.02)
    expect(new Set(columns.employment).size).toBe(6)
    expect(new Set(columns.region).size).toBe(8)
    const incomes = columns.income.filter(income => income !== null).sort((a, b) => a - b)
    expect(mean(incomes)).toBeGreaterThan(1.1 * incomes[incomes.length >> 1])
  })
})

describe('the base score', () => {
  it('is calibrated on average, against the truth and against the labels', () => {
    const all = rowsWhere(() => true)
    expect(Math.abs(meanError(all))).toBeLessThan(0.01)
    expect(Math.abs(mean(columns.score) - mean(columns.defaulted))).toBeLessThan(0.01)
  })

  it.each(PLANTED_ERRORS)('is wrong as planted for $name', ({ bias, contains }) => {
    const rows = rowsWhere(contains)
    expect(rows.length / truth.length).toBeGreaterThan(0.02)
    expect(Math.abs(bias)).toBeGreaterThanOrEqual(0.05)
    expect(Math.abs(meanError(rows))).toBeGreaterThan(0.05)
    expect(Math.abs(meanError(rows) - bias)).toBeLessThan(0.02)
  })

  it('is right on average where incomes are missing: only its slope is wrong there', () => {
    expect(Math.abs(meanError(rowsWhere(row => row.income === null)))).toBeLessThan(0.01)
  })

  it('is right outside the planted errors: in all, in every employment and region, and at every level', () => {
    const untouched = rowsWhere(isUntouched)
    expect(untouched.length / truth.length).toBeGreaterThan(0.7)
    expect(Math.abs(meanError(untouched))).toBeLessThan(0.003)
    const groupings: ((applicant: ScoredApplicant) => unknown)[] = [
      applicant => applicant.employment,
      applicant => applicant.region,
      applicant => applicant.first_loan,
      applicant => applicant.age < 30,
      applicant => Math.floor(applicant.score * 5),
    ]
    for (const key of groupings) {
      for (const value of new Set(applicants.map(key))) {
        const rows = untouched.filter(row => key(applicants[row]) === value)
        // The truth differs from the risk by at most 0.15, so this is more than four standard errors.
        expect(Math.abs(meanError(rows))).toBeLessThan(Math.max(0.01, 0.6 / Math.sqrt(rows.length)))
      }
    }
  })
})
