// CPU seconds of processes and of all that they have started, as Linux tells them in /proc.

import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks in a second: 100 on every Linux. */
const TICKS = 100

/** Processes that have ended, and were waited for, count with the one that started them. */
export const cpuSeconds = (processIds: readonly number[]): number =>
  processIds.reduce((sum, id) => sum + ticksOf(id), 0) / TICKS

function ticksOf(id: number): number {
  const { children, ticks } = readProcess(id)
  return children.reduce((sum, child) => sum + ticksOf(child), ticks)
}

/** Nothing, where it has ended meanwhile. */
function readProcess(id: number): { readonly ticks: number; readonly children: readonly number[] } {
  const stat = readOr(() => readFileSync(`/proc/${id}/stat`, 'utf8'), undefined)
  if (stat === undefined) return { ticks: 0, children: [] }
  // The name in brackets may hold anything; user and system time are the 14th and 15th field, those of children that ended follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  const tasks = readOr(() => readdirSync(`/proc/${id}/task`), [])
  const children = tasks.flatMap(task =>
    readOr(() => readFileSync(`/proc/${id}/task/${task}/children`, 'utf8'), '')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return { ticks, children }
}

/** A process or one of its threads may end at any moment. */
function readOr<T>(read: () => T, gone: T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return gone
    throw error
  }
}
