// What a monitor refuses: wrong calls, and states that are not what it wrote.

import { beforeAll, describe, expect, it } from 'vitest'
import {
  fit,
  type Model,
  type Monitor,
  makeTable,
  readMonitor,
  startMonitor,
  trees,
} from '../../src/index.ts'
import type { MonitorData } from '../../src/monitor/data.ts'
import { serializeMonitor } from '../../src/monitor/file.ts'
import { failureOf } from '../support/failure.ts'
import { draw, PLAIN } from './batches.ts'

let model: Model
let started: Monitor

beforeAll(async () => {
  model = await fit(draw({ seed: 1, rows: 2000 }), PLAIN)
  started = await startMonitor(model, draw({ seed: 1, rows: 2000 }), { protect: ['sex'] })
})

describe('misuse', () => {
  it('is refused with a code', async () => {
    const other = await fit(draw({ seed: 2 }), PLAIN)
    expect(() => readMonitor(started.toText(), other)).toThrowError(
      /^FB_MONITOR_MODEL: this monitor was started with another model\. Expected the model with the hash/,
    )
    expect((await failureOf(started.add(makeTable(draw({ seed: 2, rows: 0 }).columns)))).code).toBe(
      'FB_NO_ROWS',
    )
    expect((await failureOf(startMonitor(model, makeTable(draw({ seed: 2, rows: 0 }).columns)))).code).toBe(
      'FB_NO_ROWS',
    )
    expect((await failureOf(startMonitor(model, draw({ seed: 1 }), { delta: 0 }))).code).toBe(
      'FB_OPTION_VALUE',
    )
    expect((await failureOf(startMonitor(model, draw({ seed: 1 }), { auditors: trees() }))).code).toBe(
      'FB_OPTION_VALUE',
    )
    expect((await failureOf(startMonitor(model, draw({ seed: 1 }), { protect: ['nobody'] }))).code).toBe(
      'FB_COLUMN_UNKNOWN',
    )
    expect((await failureOf(started.add(draw({ seed: 2 }), { nam: 'x' } as never))).code).toBe(
      'FB_OPTION_UNKNOWN',
    )
    expect((await failureOf(startMonitor({} as Model, draw({ seed: 1 })))).code).toBe('FB_ARGUMENT')
    const ids = { ...draw({ seed: 1, rows: 900 }) }
    const many = makeTable([
      ...ids.columns,
      {
        name: 'id',
        kind: 'categorical',
        codes: Int32Array.from({ length: 900 }, (_, row) => row % 250),
        categories: Array.from({ length: 250 }, (_, id) => `id ${id}`),
      },
    ])
    expect((await failureOf(startMonitor(model, many, { protect: ['id'] }))).message).toMatch(
      /^FB_OPTION_VALUE: 251 groups are to be watched by name\. Expected at most 200/,
    )
  })

  it('of a state that was changed, cut off or made up is told from a state', async () => {
    const text = (await started.add(draw({ seed: 2 }))).toText()
    const refusal = (changed: string) => {
      try {
        readMonitor(changed, model)
      } catch (error) {
        return (error as { code: string }).code
      }
      return undefined
    }
    expect(refusal(text)).toBeUndefined()
    expect(refusal(text.replace('"delta": 0.05', '"delta": 0.06'))).toBe('FB_MONITOR_FORMAT')
    expect(refusal(text.slice(0, -30))).toBe('FB_MONITOR_FORMAT')
    expect(refusal('{}')).toBe('FB_MONITOR_FORMAT')
    expect(refusal('[1]')).toBe('FB_MONITOR_FORMAT')
    expect(refusal(text.replace('"version": 1', '"version": 2'))).toBe('FB_MONITOR_FORMAT')
    expect(refusal(text.replace('"searched": [0,', '"searched": [99,'))).toBe('FB_MONITOR_FORMAT')
    expect(refusal(text.replace(/"namedWealth": \[[^,]*,/, '"namedWealth": ['))).toBe('FB_MONITOR_FORMAT')
    expect(() => readMonitor(text.replace('"maxGap": 0', '"maxGap": 7'), model)).toThrowError(
      /^FB_MONITOR_FORMAT maxGap: 7 is not within 0 to 0\.5\. It was changed or damaged/,
    )
  })

  it('of a state with its seal in order and its parts at odds is told, too', async () => {
    const { data } = await started.add(draw({ seed: 2 }))
    const [batch] = data.batches
    const changes: Partial<MonitorData>[] = [
      { alarms: [{ group: 99, kind: 'named', side: 'low', order: 1 }] },
      { alarms: [{ group: 5000, kind: 'searched', side: 'high', order: 1 }] },
      { followed: [{ group: 5000, order: 1 }] },
      { driftAlarms: [{ feature: 77, order: 1 }] },
      { named: [] },
      { searchedWealth: [1] },
      { driftWealth: [1] },
      { reference: { ...data.reference, counts: [] } },
      { reference: { ...data.reference, counts: data.reference.counts.map(() => [1]) } },
      { batches: [{ ...batch, drift: [1] }] },
      { batches: [{ ...batch, labelled: { ...batch.labelled!, groups: [] } }] },
      { batches: [{ ...batch, labelled: { ...batch.labelled!, groups: [[1, 2, 3] as never] } }] },
      { raised: 9 },
      { alarms: [{ group: 0, kind: 'named', side: 'low', order: 9 }] },
    ]
    for (const change of changes) {
      const read = () => readMonitor(serializeMonitor({ ...data, ...change }), model)
      expect(read, JSON.stringify(change).slice(0, 80)).toThrowError(/^FB_MONITOR_FORMAT /)
    }
    expect(() => readMonitor(' '.repeat(2 ** 28 + 1), model)).toThrowError(
      /^FB_MONITOR_FORMAT state: 268435457 characters/,
    )
  })
})
