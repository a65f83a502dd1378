// A chart as a file of its own. Colours come from the page's styles, so they are written into the copy.

const COPIED = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'visibility'],
]

/** PNG at twice the size, for sharp letters. */
const PNG_SCALE = 2

export async function saveChart(svg: SVGSVGElement, name: string, kind: 'svg' | 'png'): Promise<void> {
  const text = svgText(svg)
  const file = `${fileName(name)}.${kind}`
  if (kind === 'svg') return saveBlob(new Blob([text], { type: 'image/svg+xml' }), file)
  saveBlob(await rasterize(text, svg.clientWidth, svg.clientHeight), file)
}

function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copyStyles(svg, copy)
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', getComputedStyle(svg).getPropertyValue('--card').trim() || '#ffffff')
  copy.insertBefore(ground, copy.querySelector('desc')?.nextSibling ?? copy.firstChild)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return new XMLSerializer().serializeToString(copy)
}

function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  for (const property of COPIED) {
    const value = style.getPropertyValue(property)
    if (value !== '' && value !== 'normal') to.setAttribute(property, value)
  }
  to.removeAttribute('class')
  Array.from(from.children).forEach((child, index) => {
    copyStyles(child, to.children[index])
  })
}

async function rasterize(text: string, width: number, height: number): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * PNG_SCALE
  canvas.height = height * PNG_SCALE
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
