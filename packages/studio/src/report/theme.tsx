// Light or dark: as the system has it, unless a person chose.

import { useEffect, useState } from 'preact/hooks'

type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>('system')
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
  }, [theme])
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]
  return (
    <button
      type="button"
      class="theme"
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${theme}. Change to ${next}`}
    >
      Theme: {theme}
    </button>
  )
}
