import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../../src/common/random.ts'
import { brownianRangeQuantile, brownianRangeTail } from '../../../src/measures/score/brownianRange.ts'
import { ecce, ecceByRow, ecceSeminorm, successiveSigma } from '../../../src/measures/score/ecce.ts'
import { normalQuantile, normalTail } from '../../../src/measures/score/normal.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { expectClose } from '../../support/close.ts'
import { repeated, rowArrays, toRows, total, totalWeight } from './rowsArbitrary.ts'

describe('ECCE', () => {
  it('is the largest |sum of residuals| over all intervals of predictions', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const ends = [...new Set(rows.map(row => row.prediction))]
      const sums = ends.flatMap(from =>
        ends.map(to => {
          const within = rows.filter(row => row.prediction >= from && row.prediction <= to)
          return Math.abs(total(within.map(row => row.weight * (row.label - row.prediction))))
        }),
      )
      expectClose(ecce(makeSteps(toRows(rows))).value, Math.max(...sums) / totalWeight(rows))
    })
    fc.assert(property)
  })

  it('counts a weight of two like the row twice, to 1e-12', () => {
    const property = fc.property(rowArrays(), rows => {
      expectClose(ecce(makeSteps(toRows(rows))).value, ecce(makeSteps(repeated(rows))).value, 1e-12)
    })
    fc.assert(property)
  })

  it('row by row depends on the order of ties, by steps it does not', () => {
    const predictions = [0.5, 0.5, 0.5, 0.5]
    const [sorted, mixed] = [
      [0, 0, 1, 1],
      [0, 1, 0, 1],
    ].map(labels => ({ predictions, labels }))
    expect(ecceByRow(sorted).value).toBe(0.25)
    expect(ecceByRow(mixed).value).toBe(0.125)
    expect(ecce(makeSteps(sorted)).value).toBe(0)
    expect(ecce(makeSteps(mixed)).value).toBe(0)
  })

  it("gives MCGrad's golden vector", () => {
    const labels = [0, 0, 1, 1, 1, 0, 1, 0, 1, 1]
    const predictions = [0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9]
    const weights = [1, 2, 1, 1, 3, 1, 1, 2, 1, 1]
    for (const measured of [ecce(makeSteps({ predictions, labels })), ecceByRow({ predictions, labels })]) {
      expectClose(measured.value, 0.18)
      expectClose(measured.ratio, 1.3067172155531297)
      expectClose(measured.pValue, 0.694584415283736)
    }
    const weighted = ecce(makeSteps({ predictions, labels, weights }))
    expectClose(weighted.value, 0.2)
    expectClose(weighted.ratio, 1.251259974072505)
    expect(successiveSigma({ predictions, labels })).toBeCloseTo(0.16457015, 8)
    expect(successiveSigma({ predictions: [0.5], labels: [1] })).toBe(0)
  })

  it('that is not 0 where none could be is infinitely many sigmas', () => {
    expect(ecce(makeSteps({ predictions: [0, 1], labels: [1, 1] }))).toMatchObject({
      ratio: Number.POSITIVE_INFINITY,
      pValue: 0,
    })
    expect(ecce(makeSteps({ predictions: [0, 1], labels: [0, 1] }))).toMatchObject({ ratio: 0, pValue: 1 })
  })
})

describe('how far ECCE may be off', () => {
  const range = (noise: Float64Array) => {
    let [sum, high, low] = [0, 0, 0]
    for (const each of noise) {
      sum += each
      high = Math.max(high, sum)
      low = Math.min(low, sum)
    }
    return high - low
  }
  const draw = (rowCount: number, bias: number) => {
    const random = makeRandom(3)
    const predictions = Array.from({ length: rowCount }, () => 0.8 * random.next())
    return makeSteps({ predictions, labels: predictions.map(p => Number(random.next() < p + bias)) })
  }
  const noises = (count: number) => {
    const random = makeRandom(4)
    return Array.from({ length: 50 }, () => Float64Array.from({ length: count }, () => random.next() - 0.5))
  }

  it('is the whole range of the noise where the walk could be highest and lowest anywhere', () => {
    const { blocks, excess } = ecceSeminorm(draw(400, 0), 0.95, 50)
    for (const noise of noises(blocks.count)) expect(excess(noise)).toBeGreaterThanOrEqual(range(noise))
  })

  it('is the noise from end to end where the walk goes up all the way', () => {
    const { blocks, excess } = ecceSeminorm(draw(100_000, 0.2), 0.95, 50)
    const smaller = noises(blocks.count).filter(noise => excess(noise) < range(noise) - 0.1)
    expect(smaller.length).toBeGreaterThan(40)
    // All noise at one place well inside: both ends feel it, whatever the sign.
    const inside = new Float64Array(blocks.count)
    inside[25] = -1
    expect(excess(inside)).toBeLessThan(-0.9)
  })
})

describe('the range of a Brownian motion', () => {
  it.each([
    [1.5145, 0.5, 4],
    [2, 0.18149, 5],
    [2.241175, 0.1, 6],
    [2.497672, 0.05, 6],
    [3.023341, 0.01, 7],
    [3.66226, 1e-3, 8],
    [4.70813, 1e-5, 10],
    [5, 2.293e-6, 9],
  ])('is above %d with probability %d', (x, p, digits) => {
    expect(brownianRangeTail(x)).toBeCloseTo(p, digits)
    expectClose(brownianRangeQuantile(brownianRangeTail(x)), x, 1e-8)
  })

  it('has two series that meet', () => {
    expectClose(brownianRangeTail(2 - 1e-12), brownianRangeTail(2))
  })
})

describe('the normal distribution', () => {
  it.each([
    [1.959963984540054, 0.025],
    [0, 0.5],
    [6, 9.865876450376946e-10],
    [-1.6448536269514722, 0.95],
    [2.4999999, 0.0062096670786064],
    [2.5, 0.006209665325776132],
  ])('is above %d with probability %d', (x, p) => {
    expectClose(normalTail(x), p, 1e-9)
    expect(normalQuantile(1 - p)).toBeCloseTo(x, 6)
  })
})
