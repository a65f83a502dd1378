import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../../src/common/random.ts'
import { compareMeasures } from '../../../src/measures/score/compare.ts'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'
import { beginComparing, beginMeasuring } from '../../../src/measures/score/thread.ts'

function makeRows(rowCount: number) {
  const random = makeRandom(5)
  const predictions = Float64Array.from({ length: rowCount }, () => Math.round(100 * random.next()) / 100)
  return { predictions, labels: predictions.map(chance => Number(random.next() < chance)) }
}

const apart = { apart: true, worth: 1 }
const options = { confidence: 0.9, seed: 3 }

describe('measuring in a thread of its own', () => {
  it('gives what measuring here gives, weights or none', async () => {
    const rows = makeRows(500)
    for (const given of [rows, { ...rows, weights: rows.predictions.map(chance => 1 + chance) }]) {
      const { answer: measures } = beginMeasuring(given, options, apart)
      expect(await measures).toEqual(scoreMeasures(given, options))
      expect(await beginMeasuring(given, options, { apart: false }).answer).toEqual(await measures)
    }
  })

  it('compares two scores there as here', async () => {
    const rows = makeRows(300)
    const other = { ...rows, predictions: rows.predictions.map(chance => chance ** 2) }
    const expected = compareMeasures(rows, other, options)
    for (const where of [apart, { apart: false }])
      expect(await beginComparing(rows, other, options, where).answer).toEqual(expected)
  })

  it('fails with the code of what went wrong there', async () => {
    const { labels, predictions } = makeRows(20)
    predictions[7] = 2
    const { answer: measures } = beginMeasuring({ labels, predictions }, options, apart)
    await expect(measures).rejects.toMatchObject({ code: 'FB_PREDICTION_RANGE', details: { row: 8 } })
  })

  it('ends when told to, and says so to whoever still waits', async () => {
    const measuring = beginMeasuring(makeRows(300_000), options, apart)
    await measuring.stop()
    await expect(measuring.answer).rejects.toMatchObject({ code: 'FB_WORKER' })
  })
})
