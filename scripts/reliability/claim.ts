// What we promise, as data: one claim for each line of docs/reliability.md, with what measures it.

export interface Outcome {
  /** Did it hold in every case that was tried? */
  readonly kept: boolean
  /** What was found, in words and numbers, for the table. */
  readonly figure: string
  /** What was found wrong, for whoever ran it. */
  readonly problems?: readonly string[]
}

export interface Run {
  readonly size: number
  /** Empty, and removed afterwards. */
  readonly folder: string
  readonly say: (line: string) => void
}

export interface Measure {
  /** What a size counts: "mutants of each kind of model". */
  readonly unit: string
  /** The size of `--short`; undefined where `npm test` measures it anyway, or where it takes too long. */
  readonly short?: number
  /** The size that is asked for where time does not matter. */
  readonly long: number
  measure(run: Run): Promise<Outcome>
}

export interface Claim {
  /** "R1". */
  readonly id: string
  readonly title: string
  readonly promised: string
  /** What others promise or were measured to do. */
  readonly anchor: string
  /** What measures it; or, in words, why nothing does. */
  readonly by: Measure | string
}

/** "1 file", "2 files". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** Of problems, the first few: one cause has many. */
export const fewOf = (problems: readonly string[], most = 10): readonly string[] =>
  problems.length <= most
    ? problems
    : [...problems.slice(0, most), `and ${counted(problems.length - most, 'more', 'more')}`]
