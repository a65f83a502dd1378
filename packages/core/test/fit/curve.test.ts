import { describe, expect, it } from 'vitest'
import { errorAgainstBins, fit, makeRandom, makeTable, readModel } from '../../src/index.ts'

const random = makeRandom(4)
const score = Array.from({ length: 500 }, () => random.next())
const table = makeTable({
  age: score.map(() => random.integer(40)),
  group: score.map(() => 'abc'[random.integer(3)]),
  score,
  y: score.map(value => (random.next() < value ** 1.5 ? 1 : 0)),
})

describe('the error against K', () => {
  it("comes from one fit, and is the certificate's where K is the planned one", async () => {
    const fitted = await fit(table, { label: 'y', prediction: 'score', epsilon: 0.2, holdout: 0.2 })
    const model = readModel(fitted.toText())
    const curve = await errorAgainstBins(model, table)
    const { after, claim } = model.certificate
    expect(curve.map(point => point.bins)).toEqual(model.data.roundings.map(rounding => rounding.bins))
    expect(curve.find(point => point.bins === claim.bins)!.error).toBe(after.multicalibration.error)
    expect(await errorAgainstBins(model, table, { bins: [5, 20] })).toEqual(
      curve.filter(point => point.bins === 5 || point.bins === 20),
    )
  })
})
