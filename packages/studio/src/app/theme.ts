// Light or dark: as the system has it, unless a person chose.

import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'featureboost-theme'

export const theme = signal<Theme>(stored())

/** Not every page may store: files opened from disk, private windows. */
function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

effect(() => {
  const { documentElement } = document
  if (theme.value === 'system') delete documentElement.dataset.theme
  else documentElement.dataset.theme = theme.value
  try {
    localStorage.setItem(KEY, theme.value)
  } catch {
    // Then it is forgotten with the page.
  }
})
