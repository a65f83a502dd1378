// Before anything is drawn: the theme that was chosen here before, else that of the system.

document.documentElement.classList.add('live')
try {
  const chosen = localStorage.getItem('featureboost-theme')
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen
} catch {
  // Pages that are opened from disk may have no storage; the system's theme holds.
}
