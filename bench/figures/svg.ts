// A small chart builder: from plain data to the text of an SVG picture, with no dependency. Every coordinate is
// written with fixed decimals, so the same data give the same bytes everywhere.

import { placer, ticksOf, xDomainOf, yDomainOf } from './scale.ts'
import type { Axis, ChartOptions, Point, Series } from './spec.ts'

export type { Axis, ChartOptions, Point, Series } from './spec.ts'

/** Okabe and Ito's colours, which colour-blind readers can tell apart; the yellow is left out, being faint on white. */
export const PALETTE = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000'] as const

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const INK = '#24292f'
const MUTED = '#57606a'
const GRID = '#e4e8ec'
const EDGE = '#d0d7de'
const PADDING = 16
const LINE_HEIGHT = 16

export function chart(options: ChartOptions): string {
  return frame(options.width, options.height, options.title, describe(options), drawChart(options))
}

/** Several charts in a grid on one background, each with the size its own options give. */
export function panels(charts: readonly ChartOptions[], columns: number): string {
  const columnWidths = Array.from({ length: Math.min(columns, charts.length) }, (_, column) =>
    Math.max(...charts.filter((_, index) => index % columns === column).map(options => options.width)),
  )
  const rowHeights = Array.from({ length: Math.ceil(charts.length / columns) }, (_, row) =>
    Math.max(...charts.slice(row * columns, (row + 1) * columns).map(options => options.height)),
  )
  const placed = charts.map((options, index) => {
    const left = sum(columnWidths.slice(0, index % columns))
    const top = sum(rowHeights.slice(0, Math.floor(index / columns)))
    return `<g transform="translate(${fixed(left)} ${fixed(top)})">\n${drawChart(options)}\n</g>`
  })
  const title = charts.map(options => options.title).join('; ')
  const description = charts.map(options => `${options.title}: ${describe(options)}`).join(' ')
  return frame(sum(columnWidths), sum(rowHeights), title, description, placed.join('\n'))
}

function frame(width: number, height: number, title: string, description: string, body: string): string {
  const size = `width="${fixed(width)}" height="${fixed(height)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${fixed(width)} ${fixed(height)}" role="img" font-family="${FONT}" font-size="12">`,
    `<title>${escapeText(title)}</title>`,
    `<desc>${escapeText(description)}</desc>`,
    `<rect x="0.5" y="0.5" width="${fixed(width - 1)}" height="${fixed(height - 1)}" rx="8" fill="#ffffff" stroke="${EDGE}"/>`,
    body,
    '</svg>',
    '',
  ].join('\n')
}

/** What a reader who does not see the picture is told. */
function describe({ x, y, series, subtitle }: ChartOptions): string {
  const parts = series
    .filter(({ points, label }) => points.length > 0 && label !== '')
    .map(({ label, points }) => {
      const [first, last] = [points[0], points[points.length - 1]].map(
        ([a, b]) => `(${round(a)}, ${round(b)})`,
      )
      return points.length === 1
        ? `${label}: ${first}.`
        : `${label}: ${points.length} points from ${first} to ${last}.`
    })
  return [subtitle, `${y.label} against ${x.label}.`, ...parts].filter(Boolean).join(' ')
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Scale {
  readonly ticks: readonly (readonly [at: number, text: string])[]
  /** From a value to a coordinate. */
  readonly place: (value: number) => number
}

interface Painted extends Series {
  readonly color: string
}

function drawChart(options: ChartOptions): string {
  const series = options.series.map((one, index) => ({
    ...one,
    color: escapeText(one.color ?? PALETTE[index % PALETTE.length]),
  }))
  for (const one of series) checkPoints(one, options)
  const named = series.filter(one => one.label !== '' && one.points.length > 0)
  const direct = named.length > 1 && canLabelEnds(named)
  const heading = drawHeading(options, direct || named.length < 2 ? [] : named)
  const notes = (options.notes ?? []).flatMap(note => wrap(note, options.width - 2 * PADDING, 11))
  const endRoom = direct ? Math.max(...named.map(one => textWidth(one.label, 12.5))) + 8 : 8
  const { box, x, y } = layOut(options, heading.height, notes.length * 14, endRoom)
  const firstNote = options.height - PADDING - (notes.length - 1) * 14
  return [
    heading.svg,
    drawAxes(options, box, x, y),
    drawMarks(series, box, x, y),
    ...(direct ? [drawEndLabels(named, box, y)] : []),
    ...notes.map((line, index) => text(PADDING, firstNote + index * 14, line, { size: 11, fill: MUTED })),
  ].join('\n')
}

function checkPoints({ label, points }: Series, { x, y }: ChartOptions): void {
  const fits = (axis: Axis, value: number) => Number.isFinite(value) && (axis.scale !== 'log' || value > 0)
  const odd = points.find(([a, b]) => !fits(x, a) || !fits(y, b))
  if (odd !== undefined)
    throw new Error(`Series "${label}": the point (${odd.join(', ')}) has no place on the axes.`)
}

/** Lines that end together, at the right, can carry their names there; otherwise there is a legend. */
function canLabelEnds(named: readonly Series[]): boolean {
  const ends = named.map(({ points }) => points[points.length - 1][0])
  return named.every(one => one.kind === 'line' || one.kind === 'area') && ends.every(end => end === ends[0])
}

function layOut(options: ChartOptions, headingHeight: number, notesHeight: number, endRoom: number) {
  const top = headingHeight + 16
  const bottom = options.height - PADDING - 36 - (notesHeight > 0 ? notesHeight + 8 : 0)
  const yCount = Math.max(2, (bottom - top) / 48)
  const yDomain = yDomainOf(options, yCount)
  const yTicks = ticksOf(options.y, yDomain, yCount)
  const left = PADDING + 28 + Math.max(0, ...yTicks.map(([, label]) => textWidth(label, 12)))
  const box: Box = { left, top, right: options.width - PADDING - endRoom, bottom }
  if (box.bottom - box.top < 20 || box.right - box.left < 20) {
    throw new Error(`Chart "${options.title}": ${options.width} by ${options.height} leaves no room to draw.`)
  }
  const xDomain = xDomainOf(options)
  const xTicks = ticksOf(options.x, xDomain, (box.right - box.left) / 70)
  const x: Scale = { ticks: xTicks, place: placer(options.x, xDomain, box.left, box.right) }
  const y: Scale = { ticks: yTicks, place: placer(options.y, yDomain, box.bottom, box.top) }
  return { box, x, y }
}

function drawHeading({ width, title, subtitle }: ChartOptions, legend: readonly Painted[]) {
  const parts: string[] = []
  let bottom = PADDING
  for (const line of wrap(title, width - 2 * PADDING, 15)) {
    bottom += 18
    parts.push(text(PADDING, bottom - 4, line, { size: 15, weight: 600 }))
  }
  for (const line of wrap(subtitle ?? '', width - 2 * PADDING, 12)) {
    bottom += LINE_HEIGHT
    parts.push(text(PADDING, bottom - 3, line, { fill: MUTED }))
  }
  let left = PADDING
  if (legend.length > 0) bottom += 22
  for (const one of legend) {
    const wide = 20 + textWidth(one.label, 12)
    if (left > PADDING && left + wide > width - PADDING) {
      left = PADDING
      bottom += 18
    }
    parts.push(drawKey(one, left, bottom - 8), text(left + 20, bottom - 4, one.label))
    left += wide + 16
  }
  return { svg: parts.join('\n'), height: bottom }
}

function drawKey({ kind, color, dashed }: Painted, left: number, middle: number): string {
  if (kind === 'points')
    return `<circle cx="${fixed(left + 7)}" cy="${fixed(middle)}" r="4" fill="${color}"/>`
  if (kind === 'line') return `<path d="M${fixed(left)} ${fixed(middle)}h14" ${strokeOf(color, dashed)}/>`
  const opacity = kind === 'area' ? ' fill-opacity="0.3"' : ''
  return `<rect x="${fixed(left + 1)}" y="${fixed(middle - 6)}" width="12" height="12" rx="2" fill="${color}"${opacity}/>`
}

function drawAxes(options: ChartOptions, box: Box, x: Scale, y: Scale): string {
  const middle = (box.top + box.bottom) / 2
  const zero = y.place(0)
  const floor =
    zero < box.bottom && zero > box.top ? `M${fixed(box.left)} ${fixed(zero)}H${fixed(box.right)}` : ''
  const lines = y.ticks.map(([at]) => `M${fixed(box.left)} ${fixed(y.place(at))}H${fixed(box.right)}`)
  const marks = x.ticks.map(([at]) => `M${fixed(x.place(at))} ${fixed(box.bottom)}v4`)
  return [
    `<path d="${lines.join('')}" stroke="${GRID}" fill="none"/>`,
    `<path d="M${fixed(box.left)} ${fixed(box.bottom)}H${fixed(box.right)}${marks.join('')}${floor}" stroke="${MUTED}" fill="none"/>`,
    ...y.ticks.map(([at, label]) =>
      text(box.left - 6, y.place(at) + 4, label, { anchor: 'end', fill: MUTED }),
    ),
    ...x.ticks.map(([at, label]) =>
      text(x.place(at), box.bottom + 17, label, { anchor: 'middle', fill: MUTED }),
    ),
    text((box.left + box.right) / 2, box.bottom + 35, options.x.label, { anchor: 'middle' }),
    `<g transform="translate(${fixed(PADDING + 10)} ${fixed(middle)}) rotate(-90)">${text(0, 0, options.y.label, { anchor: 'middle' })}</g>`,
  ].join('\n')
}

/** An inner svg element cuts off what lies outside the domain; the margin lets whole dots stand on its edge. */
function drawMarks(series: readonly Painted[], box: Box, x: Scale, y: Scale): string {
  const margin = 6
  const [left, top] = [box.left - margin, box.top - margin]
  const [width, height] = [box.right - box.left + 2 * margin, box.bottom - box.top + margin + 1]
  const place = `x="${fixed(left)}" y="${fixed(top)}" width="${fixed(width)}" height="${fixed(height)}"`
  const view = `viewBox="${fixed(left)} ${fixed(top)} ${fixed(width)} ${fixed(height)}"`
  const bars = series.filter(one => one.kind === 'bars')
  const barWidth = barWidthOf(bars, x, box)
  const drawn = series.map(one => {
    if (one.kind === 'points') return drawPoints(one, x, y)
    if (one.kind === 'line') return drawLine(one, x, y)
    const ground = groundOf(y, box)
    if (one.kind === 'area') return drawArea(one, x, y, ground)
    return drawBars(one, x, y, ground, barWidth, (bars.indexOf(one) - bars.length / 2) * barWidth)
  })
  return [`<svg ${place} ${view}>`, ...drawn, '</svg>'].join('\n')
}

function drawPoints({ points, color }: Painted, x: Scale, y: Scale): string {
  const radius = points.length > 60 ? 2.5 : 4
  const dots = points.map(
    ([a, b]) => `<circle cx="${fixed(x.place(a))}" cy="${fixed(y.place(b))}" r="${fixed(radius)}"/>`,
  )
  return `<g fill="${color}" stroke="#ffffff" stroke-width="0.75">${dots.join('')}</g>`
}

const drawLine = ({ points, color, dashed }: Painted, x: Scale, y: Scale): string =>
  `<path d="${pathOf(points, x, y)}" ${strokeOf(color, dashed)}/>`

function drawArea(one: Painted, x: Scale, y: Scale, ground: number): string {
  if (one.points.length === 0) return ''
  const last = x.place(one.points[one.points.length - 1][0])
  const closed = `${pathOf(one.points, x, y)}L${fixed(last)} ${fixed(ground)}H${fixed(x.place(one.points[0][0]))}Z`
  return `<path d="${closed}" fill="${one.color}" fill-opacity="0.18"/>${drawLine(one, x, y)}`
}

function drawBars(
  { points, color }: Painted,
  x: Scale,
  y: Scale,
  ground: number,
  width: number,
  shift: number,
) {
  const bars = points.map(([a, b]) => {
    const top = Math.min(y.place(b), ground)
    const height = Math.abs(y.place(b) - ground)
    return `<rect x="${fixed(x.place(a) + shift + 1)}" y="${fixed(top)}" width="${fixed(width - 2)}" height="${fixed(height)}"/>`
  })
  return `<g fill="${color}">${bars.join('')}</g>`
}

/** Bars of several series stand side by side and together fill seven tenths of the least distance. */
function barWidthOf(bars: readonly Series[], x: Scale, box: Box): number {
  const places = [...new Set(bars.flatMap(one => one.points.map(point => x.place(point[0]))))].sort(
    (a, b) => a - b,
  )
  const gaps = places.slice(1).map((place, index) => place - places[index])
  const gap = Math.min((box.right - box.left) / Math.max(places.length, 2), ...gaps)
  return Math.max(3, Math.min(64, (0.7 * gap) / Math.max(bars.length, 1)))
}

/** Where bars and areas stand: at zero, or at the edge nearest to it. */
function groundOf(y: Scale, box: Box): number {
  const zero = y.place(0)
  return Number.isFinite(zero) ? Math.min(box.bottom, Math.max(box.top, zero)) : box.bottom
}

/** Names at the right ends of the lines, moved apart where they would overlap. */
function drawEndLabels(named: readonly Painted[], box: Box, y: Scale): string {
  const ends = named
    .map(({ label, color, points }) => ({ label, color, at: y.place(points[points.length - 1][1]) }))
    .sort((a, b) => a.at - b.at)
  let lowest = box.top
  for (const end of ends) {
    end.at = Math.max(end.at, lowest)
    lowest = end.at + 15
  }
  let highest = box.bottom
  for (const end of ends.reverse()) {
    end.at = Math.min(end.at, highest)
    highest = end.at - 15
  }
  return ends
    .map(({ label, color, at }) => text(box.right + 8, at + 4, label, { fill: color, weight: 600 }))
    .join('\n')
}

function pathOf(points: readonly Point[], x: Scale, y: Scale): string {
  return points
    .map(([a, b], index) => `${index === 0 ? 'M' : 'L'}${fixed(x.place(a))} ${fixed(y.place(b))}`)
    .join('')
}

const strokeOf = (color: string, dashed = false): string =>
  `fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round"${dashed ? ' stroke-dasharray="5 4"' : ' stroke-linecap="round"'}`

interface TextStyle {
  readonly size?: number
  readonly weight?: number
  readonly anchor?: 'middle' | 'end'
  readonly fill?: string
}

function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const attributes = [
    `x="${fixed(x)}" y="${fixed(y)}" fill="${style.fill ?? INK}"`,
    style.size === undefined ? '' : ` font-size="${style.size}"`,
    style.weight === undefined ? '' : ` font-weight="${style.weight}"`,
    style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`,
  ]
  return `<text ${attributes.join('')}>${escapeText(words)}</text>`
}

function wrap(words: string, width: number, size: number): string[] {
  const lines: string[] = []
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`
    if (lines.length === 0 || textWidth(longer, size) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** An estimate, on the wide side, since the reader's font is not known. */
function textWidth(words: string, size: number): number {
  let ems = 0
  for (const character of words) {
    if (/[iljtfrI.,:;'|!()[\] ]/.test(character)) ems += 0.36
    else ems += /[mwMW%@A-Z]/.test(character) ? 0.76 : 0.6
  }
  return ems * size
}

const fixed = (value: number): string => {
  const digits = value.toFixed(2)
  return digits === '-0.00' ? '0.00' : digits
}

const round = (value: number): string => String(Number(value.toPrecision(4)))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (words: string): string =>
  // XML allows no control characters but tab and line ends, not even escaped.
  [...words]
    .filter(character => character >= ' ' || /[\t\n\r]/.test(character))
    .map(character => ENTITIES[character] ?? character)
    .join('')
