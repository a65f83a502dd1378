// Worlds times draws, counted.

import { judgeDraw } from './certificates.ts'
import { makeClasses } from './classes.ts'
import { compareDraw, coverDraw, makeTruth } from './coverage.ts'
import { drawRows, type RowRange } from './draw.ts'
import { Tally } from './tally.ts'
import { makeWorld } from './world.ts'

export type Part = 'certificates' | 'coverage' | 'uniform'

export interface RunOptions {
  readonly seed: number
  /** The first world, and how many. */
  readonly from: number
  readonly worlds: number
  readonly draws: number
  /** One draw of so many has its two scores compared, which costs more than all else. */
  readonly compareEvery: number
  /** Draws behind the intervals of a comparison. */
  readonly simulated: number
  readonly rows: RowRange
  readonly parts: readonly Part[]
}

export interface Tallies {
  readonly certificates: Tally
  readonly coverage: Tally
  readonly uniform: Tally
}

export const emptyTallies = (): Tallies => ({
  certificates: new Tally(),
  coverage: new Tally(),
  uniform: new Tally(),
})

/** What is counted of a world does not depend on which other worlds there are. */
export async function runWorlds(options: RunOptions, onWorld: () => void = () => {}): Promise<Tallies> {
  const tallies = emptyTallies()
  for (let index = options.from; index < options.from + options.worlds; index++) {
    await runWorld(tallies, index, options)
    onWorld()
  }
  const { certificates, coverage, uniform } = tallies
  const asked = (part: Part, tally: Tally) => (options.parts.includes(part) ? tally : new Tally())
  // An audit counts for both: its intervals and its p-values.
  return { certificates, coverage: asked('coverage', coverage), uniform: asked('uniform', uniform) }
}

async function runWorld(tallies: Tallies, index: number, options: RunOptions): Promise<void> {
  const { compareEvery, draws, parts, rows, seed, simulated } = options
  const world = makeWorld(index, seed)
  const judges = parts.includes('certificates')
  const covers = parts.includes('coverage') || (parts.includes('uniform') && world.calibrated)
  if (!judges && !covers) return
  const classes = await makeClasses(world)
  const truth = covers ? makeTruth(world) : undefined
  for (let number = 1; number <= draws; number++) {
    const draw = drawRows(world, number, rows, seed)
    if (judges) await judgeDraw(tallies.certificates, draw, classes)
    if (truth === undefined) continue
    await coverDraw(tallies, draw, classes, truth)
    if (!parts.includes('coverage') || number % compareEvery !== 0) continue
    compareDraw(tallies.coverage, draw, truth, simulated)
  }
}
