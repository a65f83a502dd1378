// What a person can do with a monitor: open its state and its model, in any order, add a batch, and take the new state home.

import { batch } from '@preact/signals'
import { type FileKind, kindOfFile } from '../../data/fileKind.ts'
import type { FileWords } from '../../data/open.ts'
import { batchCommand } from '../../run/command.ts'
import type { BatchChoice, Failure, WatchAnswer } from '../../worker/protocol.ts'
import { offer, run } from '../actions.ts'
import { ask, WorkFailed } from '../client.ts'
import { download } from '../download.ts'
import type { Chosen } from '../files.ts'
import { showNew } from '../focus.ts'
import { forget } from '../keep.ts'
import { announced, failed, running, warnings } from '../state.ts'
import { goTo, view } from '../view.ts'
import { batchFile, hasNewState, offeredState, type StateFiles, watched, watchedModel } from './state.ts'

/** Files that were chosen or dropped, each by what it holds. With a monitor in view, a table may be its next batch. */
export async function take(chosen: readonly Chosen[]): Promise<void> {
  if (running.value !== undefined || chosen.length === 0) return
  const kinds = await Promise.all(chosen.map(({ file }) => kindOfFile(file)))
  const all = (kind: FileKind) => chosen.filter((_, index) => kinds[index] === kind)
  const [[state], [model], tables] = [all('monitor'), all('model'), all('table')]
  const files = { ...(state !== undefined && { state }), ...(model !== undefined && { model }) }
  if (state !== undefined && hasNewState.value) {
    offeredState.value = files
    showNew('offered-state-title', 'offered-state-title')
  } else if (state !== undefined || model !== undefined) await openMonitor(files)
  const [table] = tables
  const waitsForAnswer = state !== undefined && offeredState.value !== undefined
  if (table === undefined || waitsForAnswer) return
  if (view.value.step === 'watch' && watched.value !== undefined) askForBatch(table)
  else if (state === undefined && model === undefined) await offer(table)
  if (tables.length > 1)
    warnings.value = [...warnings.value, `One table at a time: only ${table.file.name} was taken.`]
}

/** A state alone says what it knows; a model alone waits for it. */
export async function openMonitor({ model, state }: StateFiles): Promise<void> {
  offeredState.value = undefined
  const names = [state, model].flatMap(each => (each === undefined ? [] : [each.file.name]))
  const opened = await run({ kind: 'watch', title: `Reading ${names.join(' and ')}` }, () =>
    readFiles({ ...(state !== undefined && { state }), ...(model !== undefined && { model }) }),
  )
  if (opened === undefined) return
  const { answer, refused } = opened
  batch(() => {
    if (answer.model === undefined) watchedModel.value = undefined
    else if (model !== undefined) watchedModel.value = { name: model.file.name, ...answer.model }
    if (state !== undefined) {
      batchFile.value = undefined
      watched.value = { name: state.file.name, commands: [], isNew: false, ...answer.state! }
    }
    announced.value = announcement()
    if (refused !== undefined) failed.value = { ...refused, kind: 'watch' }
  })
  if (watched.value === undefined) {
    goTo({ step: 'start' })
    showNew('waiting-model', 'waiting-model')
  } else {
    goTo({ step: 'watch' })
    if (refused !== undefined) showNew('failure', 'failure')
    else showNew('watch-title', 'watch-title')
  }
}

function announcement(): string {
  if (watched.value === undefined) return `${watchedModel.value?.name ?? ''}: a model.`
  const { name, report } = watched.value
  return `${name}: ${report.alarm ? 'Alarm.' : 'No alarm.'} ${report.advice.sentence}`
}

interface ReadFiles {
  readonly answer: WatchAnswer
  /** Why the model is not taken with the state. */
  readonly refused?: Failure
}

/** Together with what is open already. Where state and model do not belong together, the state is shown without it. */
async function readFiles({ model, state }: StateFiles): Promise<ReadFiles> {
  const known = watchedModel.value
  const texts = {
    ...(state === undefined
      ? watched.value !== undefined && { state: watched.value.text }
      : { state: state.file }),
    ...(model === undefined ? known !== undefined && { model: known.text } : { model: model.file }),
  }
  try {
    return { answer: await ask({ kind: 'watch', ...texts }) }
  } catch (error) {
    if (state === undefined || !(error instanceof WorkFailed) || error.failure.code !== 'FB_MONITOR_MODEL')
      throw error
    const answer = await ask({ kind: 'watch', state: state.file })
    // The model of the monitor of before is none that anybody chose for this one.
    const isChosen = model !== undefined || watched.value === undefined
    return { answer, ...(isChosen && { refused: error.failure }) }
  }
}

export function askForBatch(chosen: Chosen): void {
  batchFile.value = chosen
  showNew('batch-title', 'batch-title')
}

/** Another state is not taken. */
export function keepMonitor(): void {
  offeredState.value = undefined
  showNew('watch-title', 'watch-title')
}

export function dropBatch(): void {
  batchFile.value = undefined
  showNew('watch-title', 'watch-title')
}

/** What cannot be added leaves the monitor as it was, and the question where it is. */
export async function addBatch(choice: BatchChoice, written: FileWords): Promise<void> {
  const [{ file }, before, model] = [batchFile.value!, watched.value!, watchedModel.value!]
  const answer = await run({ kind: 'watch', title: `Adding ${file.name}` }, news =>
    ask(
      {
        ...{ kind: 'batch', stateText: before.text, modelText: model.text },
        ...{ name: file.name, blob: file, written, choice },
      },
      news,
    ),
  )
  if (answer === undefined) return
  const { batch: added, ...state } = answer
  const files = { state: before.name, model: model.name, file: file.name, ...written }
  batch(() => {
    batchFile.value = undefined
    watched.value = {
      ...before,
      ...state,
      commands: [...before.commands, batchCommand(choice, files)],
      isNew: true,
    }
    announced.value = `Batch ${added} is added. ${announcement()}`
  })
  showNew('watch-title', 'watch-title')
}

export function saveState(): void {
  const state = watched.value!
  download(state.name, state.text, 'application/json')
  watched.value = { ...state, isNew: false }
}

/** The button that did it is gone then. */
export function saveNewState(): void {
  saveState()
  showNew('watch-title', 'watch-title')
}

/** The monitor and its model, here and in what the browser keeps; a table stays. */
export function closeMonitor(): void {
  batch(() => {
    watched.value = undefined
    watchedModel.value = undefined
    batchFile.value = undefined
    offeredState.value = undefined
  })
  void forget(['watch'])
  goTo({ step: 'start' })
}
