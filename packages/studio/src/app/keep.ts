// What the page keeps in this browser, so that a refresh loses nothing: one record for every tab, in IndexedDB. Pages may be refused it, as
// in private windows or by policy; then nothing is kept, and the page says so.

import { signal } from '@preact/signals'

/** "refused": a refresh loses everything. */
export const keeping = signal<'unknown' | 'works' | 'refused'>('unknown')
/** Is something still on its way into the store? */
export const isWriting = signal(0)

const DATABASE = 'featureboost-studio'
const STORE = 'kept'
const TAB_KEY = 'featureboost-tab'
/** A tab that was closed can be opened again, with its record: the latest of them are kept. */
const MOST_TABS = 3

let opening: Promise<IDBDatabase> | undefined
let tab: string | undefined

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
    asked.onblocked = () => reject(new Error('another version of the page holds the store'))
  })
  return opening
}

/** Names are in the order of time. */
function tabName(): string {
  tab ??=
    sessionStorage.getItem(TAB_KEY) ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  sessionStorage.setItem(TAB_KEY, tab)
  return tab
}

/** Whatever the store refuses is said once, and not tried again. */
async function withStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  if (keeping.value === 'refused') return undefined
  try {
    const transaction = (await database()).transaction(STORE, mode)
    const asked = use(transaction.objectStore(STORE))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      transaction.onerror = () => reject(transaction.error)
    })
    keeping.value = 'works'
    return asked.result
  } catch {
    keeping.value = 'refused'
    return undefined
  }
}

export type Part = 'choices' | 'results' | 'watch'

/** Keys sort by tab; the parts of one tab are written by themselves. */
const keyOf = (part: Part): string => `${tabName()}/${part}`

/** A write that is not begun yet gives way to the next one. */
const waiting = new Map<Part, unknown>()

export async function write(part: Part, value: unknown): Promise<void> {
  const isUnderWay = waiting.has(part)
  waiting.set(part, value)
  if (isUnderWay) return
  isWriting.value++
  // One turn, so that changes that belong together are written together.
  await new Promise(resolve => setTimeout(resolve))
  if (waiting.has(part)) {
    const latest = waiting.get(part)
    waiting.delete(part)
    await withStore('readwrite', store => store.put(latest, keyOf(part)))
  }
  isWriting.value--
}

export const read = (part: Part): Promise<unknown> => withStore('readonly', store => store.get(keyOf(part)))

export async function forget(parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    waiting.delete(part)
    await withStore('readwrite', store => store.delete(keyOf(part)))
  }
}

/** Tabs that are gone leave their records behind; all but a few are removed. */
export async function removeOld(): Promise<void> {
  const keys = ((await withStore('readonly', store => store.getAllKeys())) ?? []) as string[]
  const others = [...new Set(keys.map(key => key.split('/')[0]))].filter(name => name !== tab).sort()
  for (const name of others.slice(0, -MOST_TABS)) {
    const range = IDBKeyRange.bound(`${name}/`, `${name}/\uffff`)
    await withStore('readwrite', store => store.delete(range))
  }
}
