// A monitor in the page: its state is read and shown, and batches are added to it. A state says by itself what it knows; only a batch
// needs the model.

import { readModel, readMonitor } from '@featureboost/core'
import { parseMonitor, reportOf } from '@featureboost/core/internal'
import { openBatch } from '../data/batch.ts'
import { DataProblem } from '../data/problem.ts'
import type { BatchAnswer, News, Request, WatchAnswer } from './protocol.ts'

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

/** With the model, it is checked that the state belongs to it. */
export async function openMonitor({ model, state }: Of<'watch'>): Promise<WatchAnswer> {
  const [stateText, modelText] = [await textOf(state), await textOf(model)]
  const read = modelText === undefined ? undefined : readModel(modelText)
  const answer = modelText === undefined ? {} : { model: { text: modelText, hash: read!.hash } }
  if (stateText === undefined) return answer
  const report =
    read === undefined ? reportOf(parseMonitor(stateText)) : readMonitor(stateText, read).report()
  return { ...answer, state: { text: stateText, report } }
}

/** What is larger is no text that could be read at once. */
const LARGEST_BYTES = 2 ** 28

async function textOf(given: Blob | string | undefined): Promise<string | undefined> {
  if (given === undefined || typeof given === 'string') return given
  if (given.size > LARGEST_BYTES)
    throw new DataProblem('The file is larger than 256 MB, which is too much for a page.')
  return await given.text()
}

export async function addBatch(
  { blob, choice, modelText, name, stateText, written }: Of<'batch'>,
  tell: (news: News) => void,
): Promise<BatchAnswer> {
  const before = readMonitor(stateText, readModel(modelText))
  const rows = await openBatch(name, blob, before, {
    ...written,
    unlabelled: choice.unlabelled,
    tell: (done, of) => tell({ kind: 'rows', done, of }),
  })
  const after = await before.add(rows, {
    ...choice,
    onWarning: sentence => tell({ kind: 'warning', sentence }),
  })
  const recorded = after.data.batches.find((batch, index) => batch !== before.data.batches[index])!
  return { text: after.toText(), report: after.report(), batch: recorded.name }
}
