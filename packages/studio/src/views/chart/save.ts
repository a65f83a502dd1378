// A chart as a file of its own. Colours come from the page's styles, so they are written into the copy.

import { type Frame, frameSvg } from './frame.ts'

const COPIED = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'visibility'],
]

/** PNG at twice the size, for sharp letters. */
const PNG_SCALE = 2

export async function saveChart(
  svg: SVGSVGElement,
  name: string,
  kind: 'svg' | 'png',
  frame?: Frame,
): Promise<void> {
  const copy = standAlone(svg, frame)
  const text = new XMLSerializer().serializeToString(copy)
  const file = `${fileName(name)}.${kind}`
  if (kind === 'svg') return saveBlob(new Blob([text], { type: 'image/svg+xml' }), file)
  saveBlob(await rasterize(text, sizeOf(copy, 'width'), sizeOf(copy, 'height'), PNG_SCALE), file)
}

/** At its own size, for those who share links. */
export async function saveCard(svg: SVGSVGElement, name: string): Promise<void> {
  const copy = standAlone(svg)
  const text = new XMLSerializer().serializeToString(copy)
  const card = await rasterize(text, sizeOf(copy, 'width'), sizeOf(copy, 'height'), 1)
  saveBlob(card, `${fileName(name)}-card.png`)
}

const sizeOf = (svg: Element, name: 'width' | 'height'): number => Number(svg.getAttribute(name))

function standAlone(svg: SVGSVGElement, frame?: Frame): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copyStyles(svg, copy)
  thinOut(copy)
  const style = getComputedStyle(svg)
  if (frame !== undefined) frameSvg(copy, frame, style.color)
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', style.getPropertyValue('--card').trim() || '#ffffff')
  copy.insertBefore(ground, copy.querySelector('desc')?.nextSibling ?? copy.firstChild)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return copy
}

/** What an element has of its own; of what it inherits nothing is repeated, so that files stay small. */
function copyStyles(from: Element, to: Element, inherited: ReadonlyMap<string, string> = new Map()): void {
  const style = getComputedStyle(from)
  const own = new Map<string, string>()
  for (const property of COPIED) {
    const value = style.getPropertyValue(property)
    own.set(property, value)
    if (value !== '' && value !== 'normal' && value !== (inherited.get(property) ?? INITIAL.get(property)))
      to.setAttribute(property, value)
    else to.removeAttribute(property)
  }
  // Opacity is not inherited: each element has its own.
  own.delete('opacity')
  for (const { name } of Array.from(to.attributes)) if (ON_SCREEN.test(name)) to.removeAttribute(name)
  Array.from(from.children).forEach((child, index) => {
    copyStyles(child, to.children[index], own)
  })
}

/** What a drawing has that says nothing. */
const INITIAL: ReadonlyMap<string, string> = new Map([
  ...[
    ['opacity', '1'],
    ['fill-opacity', '1'],
    ['stroke-opacity', '1'],
    ['visibility', 'visible'],
  ],
  ...[
    ['stroke', 'none'],
    ['stroke-width', '1px'],
    ['stroke-dasharray', 'none'],
    ['text-anchor', 'start'],
  ],
] as [string, string][])

/** For the page and for those who do not see it; the name and the description of the whole stay. */
const ON_SCREEN = /^(class|id|role|tabindex|aria-.*)$/

/** Tooltips, what follows the pointer, and groups that have nothing left to say. */
function thinOut(svg: Element): void {
  for (const shown of Array.from(svg.querySelectorAll('[data-on-screen]'))) shown.remove()
  for (const title of Array.from(svg.querySelectorAll('g title'))) title.remove()
  for (const group of Array.from(svg.querySelectorAll('g')).reverse()) {
    if (group.attributes.length === 0) group.replaceWith(...Array.from(group.childNodes))
  }
}

async function rasterize(text: string, width: number, height: number, scale: number): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      blob => (blob === null ? reject(new Error('The image is too large.')) : resolve(blob)),
      'image/png',
    )
  })
}

/** To the folder of downloads; nothing leaves the machine. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'featureboost'
