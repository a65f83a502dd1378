// A chart: an SVG of the width there is, with a name and a description for those who do not see it, and buttons that save it.

import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useContext, useId, useRef } from 'preact/hooks'
import { ExportedFrom, exportFrame, type Frame } from './frame.ts'
import { saveChart } from './save.ts'
import type { Scale } from './scale.ts'
import { Tip, type TipAt, TipPlace } from './Tip.tsx'
import { useWidth } from './useWidth.ts'

/** Where data is drawn. */
export interface Area {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface ChartProps {
  /** Also the name of files it is saved as. */
  readonly name: string
  readonly description: string
  /** Of the whole chart; a function of the width where it depends on that. */
  readonly height: number | ((width: number) => number)
  readonly margin?: Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>
  /** "img" unless something inside takes the focus. */
  readonly role?: 'img' | 'group'
  readonly children: (area: Area) => ComponentChildren
}

const MARGIN = { left: 58, right: 14, top: 10, bottom: 42 }

export function Chart({ children, description, height, margin, name, role = 'img' }: ChartProps) {
  const { ref, width } = useWidth()
  const svg = useRef<SVGSVGElement>(null)
  const id = useId()
  const from = useContext(ExportedFrom)
  const frame = from && exportFrame(from, name, description)
  const tall = typeof height === 'number' ? height : height(width)
  const { bottom, left, right, top } = { ...MARGIN, ...margin }
  const area = { width, height: tall, left, right: width - right, top, bottom: tall - bottom }
  const tip = useSignal<TipAt | undefined>(undefined)
  return (
    <figure class="chart" ref={ref}>
      <svg
        ref={svg}
        class="chart-svg"
        role={role}
        aria-labelledby={`${id}-t ${id}-d`}
        width={width}
        height={tall}
        viewBox={`0 0 ${width} ${tall}`}
      >
        <title id={`${id}-t`}>{name}</title>
        <desc id={`${id}-d`}>{description}</desc>
        {width > 0 && <TipPlace.Provider value={tip}>{children(area)}</TipPlace.Provider>}
      </svg>
      <Tip at={tip} width={width} height={tall} />
      <div class="chart-save">
        <SaveButton name={name} frame={frame} svg={svg} kind="svg" />
        <SaveButton name={name} frame={frame} svg={svg} kind="png" />
      </div>
    </figure>
  )
}

interface SaveProps {
  readonly name: string
  readonly frame: Frame | undefined
  readonly svg: { readonly current: SVGSVGElement | null }
  readonly kind: 'svg' | 'png'
}

function SaveButton({ frame, kind, name, svg }: SaveProps) {
  const save = () => {
    if (svg.current !== null) void saveChart(svg.current, name, kind, frame)
  }
  return (
    <button type="button" class="small" onClick={save} aria-label={`Save "${name}" as ${kind.toUpperCase()}`}>
      {kind.toUpperCase()}
    </button>
  )
}

interface AxesProps {
  readonly area: Area
  readonly x: Scale
  readonly y: Scale
  readonly xLabel: string
  readonly yLabel: string
}

export function Axes({ area, x, xLabel, y, yLabel }: AxesProps): JSX.Element {
  const middle = (area.left + area.right) / 2
  const center = (area.top + area.bottom) / 2
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g class="axes" aria-hidden="true">
      {apart(y.ticks, y, () => 18).map(({ at, label }) => (
        <g key={at}>
          <line class="grid" x1={area.left} x2={area.right} y1={y(at)} y2={y(at)} />
          <text class="tick" x={area.left - 6} y={y(at)} dy="0.32em" text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {apart(x.ticks, x, letters => 7 * letters + 8).map(({ at, label }) => (
        <g key={at}>
          <line class="grid" x1={x(at)} x2={x(at)} y1={area.top} y2={area.bottom} />
          <text class="tick" x={x(at)} y={area.bottom + 16} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
      <line class="axis" x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
      <text class="axis-label" x={middle} y={area.height - 6} text-anchor="middle">
        {xLabel}
      </text>
      <text class="axis-label" text-anchor="middle" transform={`translate(12 ${center}) rotate(-90)`}>
        {yLabel}
      </text>
    </g>
  )
}

/** Every so many ticks that labels do not touch. */
function apart(
  ticks: Scale['ticks'],
  scale: Scale,
  roomFor: (letters: number) => number,
): readonly Scale['ticks'][number][] {
  const room = roomFor(Math.max(1, ...ticks.map(({ label }) => label.length)))
  const every = [1, 2, 3, 5, 10].find(step => {
    const kept = ticks.filter((_, index) => index % step === 0)
    return kept.slice(1).every(({ at }, index) => Math.abs(scale(at) - scale(kept[index].at)) >= room)
  })
  return ticks.filter((_, index) => index % (every ?? 10) === 0)
}

/** A path through points; gaps where `null` stands. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let pen = 'M'
  return points
    .map(point => {
      if (point === null) {
        pen = 'M'
        return ''
      }
      const drawn = `${pen}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
      pen = 'L'
      return drawn
    })
    .join('')
}

/** The shape between an upper and a lower line. */
export function bandPath(
  upper: readonly (readonly [number, number])[],
  lower: readonly (readonly [number, number])[],
): string {
  return upper.length === 0 ? '' : `${linePath([...upper, ...lower.toReversed()])}Z`
}
