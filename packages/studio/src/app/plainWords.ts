// A message of the library as a sentence for people: its code, which docs/errors.md explains, comes after the words.

interface Plain {
  readonly words: string
  readonly code?: string
}

const CODE = /\b(FB_[A-Z_]+):? ?/

export function plainWords(message: string): Plain {
  const [, code] = CODE.exec(message) ?? []
  if (code === undefined) return { words: message }
  const words = message.replace(CODE, '')
  return { words: words.charAt(0).toUpperCase() + words.slice(1), code }
}
