// What the scorer found for one set of predictions, kept: the search for the worst segment and tree is the slow part of a run,
// and the peers' answers seldom change.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDoubles, writeDoubles } from './arrays.ts'
import { hashFiles, hashNumbers, keepFolder, keyOf } from './cache.ts'
import type { Scored, Scorer } from './score.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Everything that decides a score, as far as it is known to: the scorer and the measures of the library. */
function scorerSources(): string[] {
  const measures = here('../../packages/core/src/measures/')
  const files = readdirSync(measures, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const own = ['score.ts', 'spread.ts', 'worstSegment.ts', 'worstTrees.ts'].map(here)
  return [...own, ...files.map(name => join(measures, name))]
}

/** `content` tells the test rows; infinite values are written as text. */
export function keepScores(scorer: Scorer, cache: string, content: string, fresh: boolean): Scorer {
  const sources = hashFiles(scorerSources())
  return {
    ...scorer,
    async score(predictions) {
      const key = keyOf({ content, predictions: hashNumbers(predictions), sources })
      const { folder } = await keepFolder(join(cache, 'scored', key), fresh, async into => {
        writeScored(into, await scorer.score(predictions))
      })
      return readScored(folder, predictions)
    },
  }
}

const FILES = { k1: 'k1.f64', levelSet: 'levelSet.f64', draws: 'draws.f64' }

export function writeScored(folder: string, { values, worst }: Scored): void {
  writeDoubles(join(folder, FILES.k1), worst.worstK1.shares)
  writeDoubles(join(folder, FILES.levelSet), worst.levelSet.shares)
  writeDoubles(join(folder, FILES.draws), worst.mceSigma.draws)
  const text = Object.entries(values).map(([measure, value]) => [measure, String(value)])
  writeFileSync(join(folder, 'values.json'), JSON.stringify(Object.fromEntries(text)))
}

export function readScored(folder: string, predictions: Float64Array): Scored {
  const text = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as Record<string, string>
  const values = Object.fromEntries(
    Object.entries(text).map(([measure, value]) => [measure, Number(value)]),
  ) as Scored['values']
  const read = (name: string) => readDoubles(join(folder, name))
  return {
    predictions,
    values,
    worst: {
      worstK1: { value: values.worstK1, shares: read(FILES.k1) },
      levelSet: { value: values.levelSet, shares: read(FILES.levelSet) },
      mceSigma: { value: values.mceSigma, draws: read(FILES.draws) },
    },
  }
}
