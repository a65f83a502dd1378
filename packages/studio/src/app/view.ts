// Where a person is: one step of the page, a group that is looked into, or the monitor. It stands in the address after #, so that back and forward of
// the browser step through it; links to figures, which have no slash, leave it as it is.

import { signal } from '@preact/signals'

export const STEPS = ['data', 'audit', 'fit', 'home'] as const
export type Step = (typeof STEPS)[number]

export interface View {
  readonly step: Step | 'start' | 'watch'
  /** The group that is looked into, by its number. */
  readonly look?: number
}

const PLACE = new RegExp(`^#/(${STEPS.join('|')}|watch)(?:/(\\d+))?$`)

/** Undefined: a figure of the view that is shown. */
function viewOf(hash: string): View | undefined {
  if (['', '#', '#/'].includes(hash)) return { step: 'start' }
  const [, step, look] = PLACE.exec(hash) ?? []
  if (step === undefined) return undefined
  return { step: step as View['step'], ...(look !== undefined && { look: Number(look) }) }
}

export const hashOf = ({ look, step }: View): string =>
  step === 'start' ? '#/' : `#/${step}${look === undefined ? '' : `/${look}`}`

export const view = signal<View>(viewOf(location.hash) ?? { step: 'start' })

/** Was the page opened at one of its views, and not at a figure? */
export const isPlaced = (): boolean => viewOf(location.hash) !== undefined

/** A step forward, which the button "back" takes back. */
export function goTo(next: View): void {
  if (hashOf(view.value) === hashOf(next)) return
  location.hash = hashOf(next)
  view.value = next
  window.scrollTo(0, 0)
}

/** The same step of the history, shown otherwise. */
export function goInstead(next: View): void {
  history.replaceState(null, '', hashOf(next))
  view.value = next
}

addEventListener('hashchange', () => {
  const next = viewOf(location.hash)
  if (next !== undefined && hashOf(next) !== hashOf(view.value)) view.value = next
})
