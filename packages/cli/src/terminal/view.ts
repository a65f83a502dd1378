// How a page is to look where it goes: how wide, in which characters, with which colours. Layouts are given a view and
// ask nothing else of the terminal.

export interface View {
  /** Columns of text and charts. */
  readonly width: number
  /** Columns of tables, which have no lines that the eye could lose. */
  readonly tableWidth: number
  readonly glyphs: Glyphs
  readonly paint: Paint
}

interface ViewOptions {
  /** Plain letters, whatever the locale. */
  readonly ascii?: boolean
}

/** What there is to draw with. */
interface Glyphs {
  readonly before: string
  readonly after: string
  /** Before and after in one place. */
  readonly both: string
  /** The diagonal of perfect scores. */
  readonly dot: string
  readonly line: string
  readonly upright: string
  readonly crossing: string
  readonly corner: string
  readonly tick: string
  readonly cut: string
  /** From the lowest bar to the highest. */
  readonly bars: readonly string[]
  /** A progress bar, its rest, and the parts of a column at its end. */
  readonly full: string
  readonly rest: string
  readonly parts: readonly string[]
}

const UNICODE: Glyphs = {
  before: '○',
  after: '●',
  both: '◉',
  dot: '·',
  line: '─',
  upright: '│',
  crossing: '┼',
  corner: '└',
  tick: '┴',
  cut: '…',
  bars: [...'▁▂▃▄▅▆▇█'],
  full: '█',
  rest: '░',
  parts: [...'▏▎▍▌▋▊▉'],
}

const ASCII: Glyphs = {
  before: 'o',
  after: '*',
  both: '@',
  dot: '.',
  line: '-',
  upright: '|',
  crossing: '+',
  corner: '+',
  tick: '+',
  cut: '...',
  bars: [...'.:-=+*#'],
  full: '#',
  rest: '.',
  parts: [],
}

type Brush = (text: string) => string

type Paint = Readonly<Record<'bold' | 'dim' | 'good' | 'bad' | 'careful', Brush>>

const brush =
  (begin: number, end: number): Brush =>
  text =>
    `\x1b[${begin}m${text}\x1b[${end}m`

const COLOURS: Paint = {
  bold: brush(1, 22),
  dim: brush(2, 22),
  good: brush(32, 39),
  bad: brush(31, 39),
  careful: brush(33, 39),
}

const same: Brush = text => text
const PLAIN: Paint = { bold: same, dim: same, good: same, bad: same, careful: same }

type Environment = Readonly<Record<string, string | undefined>>

interface Output {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Long lines are hard to read; below 40 columns charts say nothing. */
const [NARROWEST, WIDEST, WIDEST_TABLE] = [40, 100, 140]

export function viewOf(
  output: Output,
  { ascii = false }: ViewOptions = {},
  environment: Environment = process.env,
): View {
  const columns = Math.max(NARROWEST, columnsOf(output, environment))
  return {
    width: Math.min(WIDEST, columns),
    tableWidth: Math.min(WIDEST_TABLE, columns),
    glyphs: ascii || !speaksUnicode(environment) ? ASCII : UNICODE,
    paint: isColourful(output, environment) ? COLOURS : PLAIN,
  }
}

/** Of stdout: where results go. */
export const stdoutView = (options?: ViewOptions): View => viewOf(process.stdout, options)

/** Where there is no terminal, COLUMNS may say how wide the lines are to be. */
function columnsOf({ columns }: Output, { COLUMNS }: Environment): number {
  if (columns !== undefined && columns > 0) return columns
  const said = Number(COLUMNS)
  return Number.isInteger(said) && said > 0 ? said : WIDEST
}

/** By the locale, in the order in which it is looked up. Where none is set, as in most containers, terminals are UTF-8. */
function speaksUnicode({ LANG, LC_ALL, LC_CTYPE, TERM }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find(value => value !== undefined && value !== '')
  return locale === undefined ? TERM !== 'linux' : /utf-?8/i.test(locale)
}

export function isColourful({ isTTY }: Output, { NO_COLOR, TERM }: Environment = process.env): boolean {
  return isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'
}

/** As wide as it takes, without colours: a file, or a log. */
export const PAGE: View = {
  width: Number.POSITIVE_INFINITY,
  tableWidth: Number.POSITIVE_INFINITY,
  glyphs: UNICODE,
  paint: PLAIN,
}
