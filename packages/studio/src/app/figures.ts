// Figures and tables of the results, out of the page: SVG that stands on its own, PNG drawn from it, CSV.

import { csvCell } from '../worker/scored.ts'

/** What gives a shape its look; in the page it comes from style sheets. */
const STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'paint-order'],
  ...['stroke-linejoin', 'stroke-linecap', 'font-variant-numeric', 'display', 'visibility'],
]

export interface NamedFigure {
  readonly name: string
  readonly svg: SVGSVGElement
}

/** Figures by their headings. Legends and small pictures are part of others. */
export function findFigures(root: ParentNode): NamedFigure[] {
  return [...root.querySelectorAll<SVGSVGElement>('figure svg')]
    .filter(svg => svg.parentElement?.closest('svg') === null && svg.getBoundingClientRect().width >= 150)
    .map(svg => ({ name: titleOf(svg), svg }))
}

export function findTables(root: ParentNode): { readonly name: string; readonly table: HTMLTableElement }[] {
  return [...root.querySelectorAll('table')].map(table => ({ name: titleOf(table), table }))
}

/** The caption of a table, the heading before it, or its label. */
function titleOf(element: Element): string {
  const own = element.querySelector('caption')?.textContent
  const section = element.closest('section, figure, [aria-labelledby]')
  const heading =
    section?.querySelector('h2, h3, h4')?.textContent ??
    element.closest('section')?.querySelector('h2, h3, h4')?.textContent
  return (own ?? heading ?? element.getAttribute('aria-label') ?? 'figure').trim()
}

/** A copy with all styles inside. */
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const [from, to] = [svg, copy].map(root => [root, ...root.querySelectorAll('*')])
  for (const [index, element] of from.entries()) {
    const computed = getComputedStyle(element)
    const style = STYLES.map(name => `${name}:${computed.getPropertyValue(name)}`).join(';')
    to[index].setAttribute('style', style)
    to[index].removeAttribute('class')
  }
  const { height, width } = svg.getBoundingClientRect()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.round(width)))
  copy.setAttribute('height', String(Math.round(height)))
  if (!copy.hasAttribute('viewBox'))
    copy.setAttribute('viewBox', `0 0 ${Math.round(width)} ${Math.round(height)}`)
  for (const sheet of copy.querySelectorAll('style')) sheet.remove()
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  background.setAttribute('width', '100%')
  background.setAttribute('height', '100%')
  background.setAttribute('fill', getComputedStyle(document.body).backgroundColor)
  copy.prepend(background)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`
}

/** Twice the size on screen, for print. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const { height, width } = svg.getBoundingClientRect()
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standaloneSvg(svg))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(2 * width)
  canvas.height = Math.round(2 * height)
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return await new Promise((resolve, reject) =>
    canvas.toBlob(
      blob => (blob === null ? reject(new Error('The figure could not be drawn.')) : resolve(blob)),
      'image/png',
    ),
  )
}

export function tableCsv(table: HTMLTableElement): string {
  const rows = [...table.rows].map(row =>
    [...row.cells].map(cell => csvCell(cell.innerText.replace(/\s+/g, ' ').trim())),
  )
  return `${rows.map(cells => cells.join(',')).join('\n')}\n`
}
