// A thread that is started ahead of its question.

import { describe, expect, it } from 'vitest'
import { openHelper, startTask } from '../../src/common/task.ts'

/** Tells two numbers, then answers with their sum; a question of 0 fails. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', question => {
    if (question === 0) throw new Error('nothing to do')
    parentPort.postMessage({ progress: question })
    parentPort.postMessage({ progress: question + 1 })
    parentPort.postMessage({ answer: 2 * question + 1 })
  })
`

describe('a helper', () => {
  it('waits for its question, tells what it does, and answers', async () => {
    const helper = openHelper<number, number, number>(SCRIPT)!
    await new Promise(resolve => setTimeout(resolve, 50))
    const told: number[] = []
    expect(await helper.ask(4, progress => told.push(progress)).answer).toBe(9)
    expect(told).toEqual([4, 5])
    await helper.stop()
  })

  it('can be sent away before it was asked', async () => {
    const helper = openHelper<number, number, number>(SCRIPT)!
    await helper.stop()
    await expect(helper.ask(1).answer).rejects.toMatchObject({ code: 'FB_WORKER' })
  })

  it('that fails, or is not listened to, says so', async () => {
    await expect(startTask<number, number, number>(SCRIPT, 0)!.answer).rejects.toMatchObject({
      code: 'FB_WORKER',
    })
    const refusing = () => {
      throw new RangeError('enough')
    }
    await expect(startTask<number, number, number>(SCRIPT, 1, refusing)!.answer).rejects.toThrow('enough')
  })
})
