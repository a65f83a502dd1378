// A button that copies a text, and says that it did.

import { useState } from 'preact/hooks'

interface CopyProps {
  readonly text: string
  readonly label: string
  /** What is copied, for those who hear the page. */
  readonly what: string
}

const SAID_MS = 1500

export function CopyButton({ label, text, what }: CopyProps) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    const done = await copyText(text)
    setSaid(done ? 'Copied' : 'Select and copy by hand')
    setTimeout(() => setSaid(''), SAID_MS)
  }
  return (
    <button
      type="button"
      class="small"
      aria-label={`${label}: ${what}`}
      title={`Copy ${what}`}
      onClick={copy}
    >
      <span aria-live="polite">{said === '' ? label : said}</span>
    </button>
  )
}

/** Pages from file:// may not have a clipboard of their own; a selection can be copied there. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
