// The menu on narrow screens, the button for the theme, and the search. The index of the search is loaded when it is first used.

const root = document.documentElement
const bar = document.querySelector('.bar')
for (const hidden of bar.querySelectorAll(':scope > [hidden]')) hidden.hidden = false

// The theme
const themeButton = bar.querySelector('.theme-button')
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (root.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark'
const sayTheme = () => {
  themeButton.textContent = isDark() ? 'Light' : 'Dark'
  themeButton.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme')
}
themeButton.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  try {
    localStorage.setItem('featureboost-theme', root.dataset.theme)
  } catch {
    // Without storage the choice holds for this page.
  }
  sayTheme()
})
systemIsDark.addEventListener('change', sayTheme)
sayTheme()

// The menu
const menuButton = bar.querySelector('.menu-button')
const menu = document.getElementById('menu')
const openMenu = open => {
  root.classList.toggle('menu-open', open)
  menuButton.setAttribute('aria-expanded', String(open))
}
menuButton.addEventListener('click', () => {
  openMenu(menuButton.getAttribute('aria-expanded') !== 'true')
})
const current = menu.querySelector('[aria-current]')
if (current !== null && menu.scrollHeight > menu.clientHeight)
  menu.scrollTop = current.offsetTop - menu.clientHeight / 3

// The search
const base = document.body.dataset.root
const field = document.getElementById('search')
const panel = bar.querySelector('.results')
const [status, list] = panel.children
let loading

const loadIndex = () => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${base}/assets/search-index.js`
    script.onload = () => resolve(globalThis.featureboostPassages)
    script.onerror = () => reject(new Error('The index of the search could not be loaded.'))
    document.head.append(script)
  })
  return loading
}

const SHOWN = 12

/** Every word has to occur; where it occurs says how much it counts. */
function rank(passages, words) {
  const found = []
  for (const passage of passages) {
    let score = 0
    for (const word of words) {
      const inHeading = passage.h.toLowerCase().includes(word)
      const inTitle = passage.p.toLowerCase().includes(word)
      const inText = passage.x.toLowerCase().includes(word)
      if (!inHeading && !inTitle && !inText) {
        score = 0
        break
      }
      score += (inHeading ? 6 : 0) + (inTitle ? 3 : 0) + (inText ? 1 : 0)
    }
    if (score > 0) found.push({ passage, score })
  }
  return found.sort((a, b) => b.score - a.score)
}

function excerpt(text, word) {
  const at = text.toLowerCase().indexOf(word)
  const from = Math.max(0, at - 50)
  const part = text.slice(from, from + 150)
  return `${from > 0 ? '… ' : ''}${part}${from + 150 < text.length ? ' …' : ''}`
}

function entry({ h, p, u, x }, word) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const [title, text] = [document.createElement('b'), document.createElement('span')]
  title.textContent = h === p ? p : `${p}: ${h}`
  text.textContent = excerpt(x, word)
  link.href = `${base}/${u}`
  link.append(title, text)
  item.append(link)
  return item
}

async function search() {
  const words = field.value
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) {
    panel.hidden = true
    return
  }
  const asked = field.value
  try {
    const found = rank(await loadIndex(), words)
    // Something else was typed meanwhile.
    if (field.value !== asked) return
    const shown = found.slice(0, SHOWN)
    status.textContent =
      found.length === 0
        ? 'Nothing found.'
        : `${found.length === 1 ? 'One place' : `${found.length} places`}${found.length > SHOWN ? `, the first ${SHOWN} shown` : ''}.`
    list.replaceChildren(...shown.map(({ passage }) => entry(passage, words[0])))
  } catch (problem) {
    status.textContent = problem.message
    list.replaceChildren()
  }
  panel.hidden = false
}

const closeSearch = () => {
  panel.hidden = true
}
field.addEventListener('input', search)
// Loaded early, so that the first letters find something at once.
field.addEventListener('focus', () => {
  loadIndex().catch(() => {})
})
document.addEventListener('click', event => {
  if (!event.target.closest('.search')) closeSearch()
})
bar.querySelector('.search').addEventListener('focusout', event => {
  if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) closeSearch()
})
bar.querySelector('.search').addEventListener('keydown', event => {
  const places = [field, ...list.querySelectorAll('a')]
  const at = places.indexOf(document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === 1 && panel.hidden) search()
  else if (step !== undefined && !panel.hidden) {
    event.preventDefault()
    places[Math.min(places.length - 1, Math.max(0, at + step))].focus()
  } else if (event.key === 'Enter' && at === 0) list.querySelector('a')?.click()
})

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest('input, textarea, select') !== null
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    field.focus()
  }
  if (event.key === 'Escape') {
    if (!panel.hidden) {
      closeSearch()
      field.focus()
    } else if (menuButton.getAttribute('aria-expanded') === 'true') {
      openMenu(false)
      menuButton.focus()
    }
  }
})
