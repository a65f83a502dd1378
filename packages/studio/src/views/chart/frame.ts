// What a figure takes along when it leaves the page: its title, its sentence, and what it was made of.

import type { Evidence } from '@featureboost/core'
import { createContext } from 'preact'
import { count } from '../format.ts'

export interface Frame {
  readonly title: string
  readonly sentence: string
  /** The file, the rows, the scores, and the version. */
  readonly foot: string
}

export function exportFrame({ about, after, before }: Evidence, title: string, sentence: string): Frame {
  const scores = after === undefined ? before.name : `before: ${before.name}, after: ${after.name}`
  const rows = `${count(about.auditedCount)}${about.rows === 'held-out' ? ' held-out' : ''} rows`
  return {
    title,
    sentence,
    foot: `${about.name} · ${rows} · ${scores} against ${about.label} · featureboost ${about.library}`,
  }
}

/** Whose figures these are. */
export const ExportedFrom = createContext<Evidence | undefined>(undefined)

const LETTER = 6.4
const [TITLE_ROOM, LINE, FOOT_ROOM] = [34, 17, 26]

/** Lines of no more than so many letters. */
export function wrap(text: string, letters: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > letters) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** Puts a copy of a chart into a frame: the title and the sentence above it, where it is from beneath. */
export function frameSvg(copy: SVGSVGElement, { foot, sentence, title }: Frame, ink: string): void {
  const [width, height] = [copy.width.baseVal.value, copy.height.baseVal.value]
  const letters = Math.max(20, Math.floor((width - 32) / LETTER))
  const lines = wrap(sentence, letters)
  const feet = wrap(foot, letters)
  const head = TITLE_ROOM + lines.length * LINE + 8
  const drawing = element('g', { transform: `translate(0 ${head})` })
  const [kept, drawn] = [['title', 'desc'], [] as Node[]]
  for (const child of Array.from(copy.childNodes)) if (!kept.includes(child.nodeName)) drawn.push(child)
  drawing.append(...drawn)
  const text = (words: string, y: number, size: number, weight = '400') => {
    const node = element('text', {
      x: '16',
      y: String(y),
      fill: ink,
      'font-size': `${size}px`,
      'font-weight': weight,
    })
    node.textContent = words
    return node
  }
  copy.append(
    text(title, 24, 17, '600'),
    ...lines.map((line, index) => text(line, TITLE_ROOM + 8 + index * LINE, 12)),
    drawing,
    ...feet.map((line, index) => text(line, head + height + 14 + index * LINE, 11)),
  )
  const tall = head + height + FOOT_ROOM + (feet.length - 1) * LINE
  copy.setAttribute('height', String(tall))
  copy.setAttribute('viewBox', `0 0 ${width} ${tall}`)
}

function element(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}
