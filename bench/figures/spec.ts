// What a chart is, as plain data.

export type Point = readonly [x: number, y: number]

export interface Series {
  readonly kind: 'line' | 'points' | 'bars' | 'area'
  readonly points: readonly Point[]
  /** Named beside the series or in the legend; an empty label is not shown. */
  readonly label: string
  readonly color?: string
  readonly dashed?: boolean
}

export interface Axis {
  readonly label: string
  /** Default: what the data span, for y widened to round numbers. Marks outside it are cut off. */
  readonly domain?: readonly [low: number, high: number]
  readonly scale?: 'linear' | 'log'
  /** Instead of round numbers: where to mark the axis, and with which words. */
  readonly ticks?: readonly (readonly [at: number, text: string])[]
}

export interface ChartOptions {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly subtitle?: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
  /** Small print under the chart, one line or more each. */
  readonly notes?: readonly string[]
}
