// A made-up lending population whose true probabilities are known, and a base score that is right on average but
// wrong for a few groups. The demo and the tests correct the score and compare with the truth.

import type { Predicate } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'

type Random = ReturnType<typeof makeRandom>

export interface PopulationOptions {
  readonly rows: number
  readonly seed: number
}

interface Applicant {
  readonly age: number
  readonly income: number | null
  readonly employment: string
  readonly region: string
  readonly first_loan: boolean
  /** Exactly 0 for about three in ten. */
  readonly debt_ratio: number
  readonly months_at_job: number
}

export interface ScoredApplicant extends Applicant {
  readonly score: number
}

type Columns<Row> = { readonly [Name in keyof Row]: Row[Name][] }

export interface LendingPopulation {
  /** Features, the base score, and the label `defaulted` (0 or 1, drawn from the truth). */
  readonly columns: Columns<ScoredApplicant & { readonly defaulted: number }>
  /** The probability from which each label was drawn. */
  readonly truth: number[]
}

interface PlantedError {
  readonly name: string
  readonly words: string
  /** Mean of score minus truth over the group, as planted (to within 0.02). */
  readonly bias: number
  /** Groups are told by the features and the base score alone, so they stay the same when the score is corrected. */
  readonly contains: (applicant: ScoredApplicant) => boolean
  /** The same as conditions, and as scores from (included) up to (excluded, but for 1). */
  readonly where: readonly Predicate[]
  readonly scores?: { readonly from: number; readonly to: number }
}

export const PLANTED_ERRORS: readonly PlantedError[] = [
  {
    name: 'young gig workers',
    words: 'Under 30 and in gig work: the score is too low.',
    bias: -0.08,
    contains: isYoungGigWorker,
    where: [
      { column: 'age', below: 30 },
      { column: 'employment', in: ['gig'] },
    ],
  },
  {
    name: 'first loans in the north',
    words: 'First loan and region north: the score is too high.',
    bias: 0.09,
    contains: isFirstLoanInNorth,
    where: [
      { column: 'region', in: ['north'] },
      { column: 'first_loan', in: [true] },
    ],
  },
  {
    name: 'missing income, low score',
    words: 'Income missing and a score under 0.1: overconfident, so the score is too low.',
    bias: -0.06,
    contains: applicant => applicant.income === null && applicant.score < 0.1,
    where: [{ column: 'income', missing: true }],
    scores: { from: 0, to: 0.1 },
  },
  {
    name: 'missing income, high score',
    words: 'Income missing and a score over 0.4: overconfident, so the score is too high.',
    bias: 0.135,
    contains: applicant => applicant.income === null && applicant.score > 0.4,
    where: [{ column: 'income', missing: true }],
    // Scores have four decimals.
    scores: { from: 0.4001, to: 1 },
  },
]

/** True where nothing was planted: there the score is right for every group of the features. */
export function isUntouched(applicant: Applicant): boolean {
  return applicant.income !== null && !isYoungGigWorker(applicant) && !isFirstLoanInNorth(applicant)
}

function isYoungGigWorker(applicant: Applicant): boolean {
  return applicant.age < 30 && applicant.employment === 'gig'
}

function isFirstLoanInNorth(applicant: Applicant): boolean {
  return applicant.first_loan && applicant.region === 'north'
}

export function makeLendingPopulation({ rows, seed }: PopulationOptions): LendingPopulation {
  const random = makeRandom(seed)
  const columns: LendingPopulation['columns'] = {
    age: [],
    income: [],
    employment: [],
    region: [],
    first_loan: [],
    debt_ratio: [],
    months_at_job: [],
    score: [],
    defaulted: [],
  }
  const truth: number[] = []
  for (let row = 0; row < rows; row++) {
    const { applicant, risk } = drawApplicant(random)
    const probability = drawTruth(random, risk)
    const defaulted = random.next() < probability ? 1 : 0
    append(columns, { ...applicant, score: misjudge(applicant, risk), defaulted })
    truth.push(probability)
  }
  return { columns, truth }
}

/** As a CSV file has them, without the truth. */
export function populationCsv({ columns }: LendingPopulation): string {
  const cells: (readonly unknown[])[] = Object.values(columns)
  const lines = columns.score.map((_, row) => cells.map(column => column[row] ?? '').join(','))
  return [Object.keys(columns).join(','), ...lines, ''].join('\n')
}

function append<Row extends object>(columns: Columns<Row>, row: Row): void {
  for (const name of Object.keys(columns) as (keyof Row)[]) columns[name].push(row[name])
}

/** Values with their shares, and what each adds to the log-odds of default. */
type Choice = readonly [value: string, share: number, logOdds: number]

const EMPLOYMENT: readonly Choice[] = [
  ['salaried', 0.48, -0.3],
  ['public', 0.14, -0.6],
  ['self-employed', 0.12, 0.2],
  ['gig', 0.1, 0.5],
  ['part-time', 0.12, 0.3],
  ['seasonal', 0.04, 0.5],
]

/** Under 30, gig and part-time work are more common. */
const YOUNG_EMPLOYMENT: readonly Choice[] = [
  ['salaried', 0.38, -0.3],
  ['public', 0.08, -0.6],
  ['self-employed', 0.06, 0.2],
  ['gig', 0.26, 0.5],
  ['part-time', 0.17, 0.3],
  ['seasonal', 0.05, 0.5],
]

const REGIONS: readonly Choice[] = [
  ['north', 0.17, 0.1],
  ['south', 0.16, 0.25],
  ['east', 0.13, 0],
  ['west', 0.14, -0.1],
  ['centre', 0.18, -0.2],
  ['coast', 0.11, 0.05],
  ['highlands', 0.07, 0.15],
  ['islands', 0.04, 0.3],
]

/** An applicant, and the probability of default given everything that the lender's columns record. */
function drawApplicant(random: Random): { applicant: Applicant; risk: number } {
  const age = 19 + Math.floor(56 * random.next() ** 1.4)
  const [employment, , employmentOdds] = choose(random, age < 30 ? YOUNG_EMPLOYMENT : EMPLOYMENT)
  const [region, , regionOdds] = choose(random, REGIONS)
  const first_loan = random.next() < (age < 30 ? 0.6 : 0.25)
  const debt_ratio = random.next() < 0.3 ? 0 : roundTo(3, 1.2 * random.next() ** 1.6)
  const monthsPossible = 12 * (age - 18)
  const months_at_job = Math.floor(monthsPossible * random.next() ** 2.2)
  const logIncome = 10.35 + 0.008 * (age - 19) + 0.55 * drawNormal(random)
  // Incomes are missing at random, and a missing one cannot count: the other columns carry the risk.
  const income = random.next() < 0.12 ? null : 100 * Math.round(Math.exp(logIncome) / 100)
  const incomeOdds = income === null ? 0.1 : -0.9 * (Math.log(Math.max(income, 100)) - 10.5)
  const stability = 0.25 * Math.log((months_at_job + 6) / 60)
  const youth = age < 25 ? 0.35 : 0
  const logOdds =
    -2.07 +
    employmentOdds +
    regionOdds +
    incomeOdds +
    youth -
    stability +
    1.6 * debt_ratio +
    (first_loan ? 0.25 : 0)
  const applicant = { age, income, employment, region, first_loan, debt_ratio, months_at_job }
  return { applicant, risk: sigmoid(logOdds) }
}

/**
 * What no column records moves the truth up or down with equal chance, so the risk given the columns stays exactly
 * the mean of the truth: a score equal to it is calibrated for every group.
 */
function drawTruth(random: Random, risk: number): number {
  const unrecorded = 0.6 * risk * (1 - risk)
  return roundTo(6, random.next() < 0.5 ? risk - unrecorded : risk + unrecorded)
}

/** The base score: the risk itself, but for the planted errors. */
function misjudge(applicant: Applicant, risk: number): number {
  let score = risk
  if (applicant.income === null) score = sigmoid(OVERCONFIDENCE * (logit(risk) - PIVOT) + PIVOT)
  if (isYoungGigWorker(applicant)) score -= 0.1
  if (isFirstLoanInNorth(applicant)) score += 0.1
  return roundTo(4, Math.min(0.999, Math.max(0.001, score)))
}

/** The slope of the overconfident log-odds, and the log-odds that stay: with these the mean hardly moves. */
const OVERCONFIDENCE = 1.8
const PIVOT = -0.9

function choose(random: Random, choices: readonly Choice[]): Choice {
  let rest = random.next()
  for (const choice of choices) {
    rest -= choice[1]
    if (rest < 0) return choice
  }
  return choices[choices.length - 1]
}

/** Standard normal (Box and Muller). */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

const logit = (probability: number): number => Math.log(probability / (1 - probability))

// JavaScript engines may differ in the last bit of exp and log; rounding hides it.
const roundTo = (decimals: number, value: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals
