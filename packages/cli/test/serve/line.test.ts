// Who is taken, who is turned away, and in which order they are told.

import { describe, expect, it } from 'vitest'
import { Line } from '../../src/serve/line.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Everyone who came, in the order in which they were told, and how. */
function listen(line: Line) {
  const told: string[] = []
  return {
    told,
    push: (name: string, work: () => void = () => {}) =>
      line.push(
        () => {
          work()
          told.push(`${name} taken`)
        },
        () => told.push(`${name} refused`),
      ),
  }
}

describe('the line', () => {
  it('takes so many at a time, in their order, and has room again when it was worked through', async () => {
    const line = new Line({ queue: 2, wait: 1e6 })
    const { push, told } = listen(line)
    for (const name of ['a', 'b', 'c']) push(name)
    expect([told, line.length, line.isFull]).toEqual([[], 2, true])
    await turn()
    expect([told, line.length, line.isFull]).toEqual([['a taken', 'b taken', 'c refused'], 0, false])
    push('d')
    await turn()
    expect(told.at(-1)).toBe('d taken')
  })

  it('refuses whoever would wait too long for those before, before any of the work is done', async () => {
    const clock = { now: 0 }
    const { push, told } = listen(new Line({ queue: 9, wait: 5 }, () => clock.now))
    const slow = () => {
      clock.now += 3
    }
    for (const name of ['a', 'b', 'c', 'd']) push(name, slow)
    await turn()
    expect(told).toEqual(['a taken', 'b taken', 'c refused', 'd refused'])
  })

  it('tells many refusals a few at a time, after those that it took, and takes others in between', async () => {
    const { push, told } = listen(new Line({ queue: 1, wait: 5 }, () => 0))
    for (let index = 0; index < 101; index++) push(`${index}`)
    await turn()
    expect(told.slice(0, 3)).toEqual(['0 taken', '1 refused', '2 refused'])
    const before = told.length
    expect(before).toBeLessThan(50)
    push('other')
    await turn()
    expect(told.slice(before, before + 2)).toEqual(['other taken', `${before} refused`])
    while (told.length < 102) await turn()
    const refused = told.filter(words => words.endsWith('refused'))
    expect(refused).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 1} refused`))
  })

  it('holds back no refusal for long, and no more of them than it has room for', async () => {
    const clock = { now: 0 }
    const { push, told } = listen(new Line({ queue: 0, wait: 5 }, () => clock.now))
    for (let index = 0; index < 1100; index++) push(`${index}`)
    expect(told.length).toBe(100)
    clock.now += 300
    await turn()
    expect(told.length).toBeLessThan(200)
    clock.now += 300
    await turn()
    expect(told.length).toBe(1100)
  })
})
