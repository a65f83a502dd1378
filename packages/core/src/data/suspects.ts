// Text columns that are probably something else: ids that tell rows apart and no groups, and numbers that are text for how they are
// written, with a currency or with commas. Nothing is read as something else because of it: "1,234" may be 1234 and may be 1.234.

/** Fewer rows may well have a value each. */
const ID_ROWS = 200

/** Are there nearly as many values as rows? */
export const looksLikeIds = (distinct: number, rowCount: number): boolean =>
  rowCount >= ID_ROWS && distinct > rowCount / 2

export const idSentence = (name: string): string =>
  `Column "${name}" has more different values than half of the number of rows, so it looks like an id: leave it out with --except, or, if it tells which rows belong to one unit such as a person, hold these out together with --group-by.`

/** Which part of a written number the comma is; mixed where points are decimals in one number and commas in another. */
type Comma = 'decimal' | 'thousands' | 'unclear' | 'mixed' | 'none'

export interface WrittenNumbers {
  readonly example: string
  readonly comma: Comma
  /** Is there more than digits, commas and points: a currency or a percent sign? */
  readonly signed: boolean
  /** Do points stand between thousands? */
  readonly points: boolean
}

const SIGN = '[$€£]'
const WRITTEN = new RegExp(
  `^[-+]?${SIGN}?\\s?[-+]?(\\d{1,3}(,\\d{3})+|\\d{1,3}(\\.\\d{3})+|\\d+)([.,]\\d+)?\\s?(${SIGN}|%)?$`,
)
/** Commas that can only part the thousands, and those that can only begin the decimals. */
const THOUSANDS = /,\d{3}(,\d{3}|\.)/
const DECIMALS = /(^|\D)0+,\d|\d{4},\d|,(\d{1,2}|\d{4,})(\D|$)|\.\d{3},/

/** Texts that often stand for a missing number. */
export const MISSING_WORDS: readonly string[] = [
  'NA',
  'N/A',
  'n/a',
  'na',
  'NaN',
  'nan',
  'null',
  'NULL',
  'None',
  '?',
  '.',
  '-',
  'missing',
]

/** So few may be categories that somebody meant, such as "5%" and "10%". */
const FEW = 20

/** How numbers are written, and whether there are so many that they are surely no categories. */
export interface SuspectNumbers extends WrittenNumbers {
  readonly isMany: boolean
}

/** Of the categories of a column from a file that was read with this decimal mark. */
export function suspectNumbers(
  categories: readonly string[],
  decimal: ',' | '.' = '.',
): SuspectNumbers | undefined {
  const numbers = categories.filter(text => !MISSING_WORDS.includes(text.trim()))
  const found = (decimal === ',' ? otherDecimals(numbers) : undefined) ?? findWrittenNumbers(numbers)
  return found && { ...found, isMany: numbers.length > FEW }
}

/** With a decimal comma, 1.234 is no number: its point may part thousands, or be a decimal point after all. */
function otherDecimals(texts: readonly string[]): WrittenNumbers | undefined {
  const example = texts.find(text => text.includes('.'))
  const plain = texts.length > 0 && texts.every(text => /^-?\d+([.,]\d+)?$/.test(text.trim()))
  return plain && example !== undefined ? { example, comma: 'mixed', signed: false, points: true } : undefined
}

/** What the texts are if all of them are numbers, at least one of which no program would read as such; else undefined. */
export function findWrittenNumbers(texts: readonly string[]): WrittenNumbers | undefined {
  const trimmed = texts.map(text => text.trim())
  if (!trimmed.every(text => WRITTEN.test(text))) return undefined
  const odd = trimmed.filter(text => !Number.isFinite(Number(text)))
  if (odd.length === 0) return undefined
  const commas = odd.filter(text => text.includes(','))
  const thousands = commas.find(text => THOUSANDS.test(text))
  const decimals = commas.find(text => DECIMALS.test(text))
  const comma =
    commas.length === 0
      ? 'none'
      : (thousands === undefined) === (decimals === undefined)
        ? 'unclear'
        : thousands === undefined
          ? 'decimal'
          : 'thousands'
  return {
    example: thousands ?? decimals ?? commas[0] ?? odd[0],
    comma,
    signed: odd.some(text => /[$€£%]/.test(text)),
    points: odd.some(text => /\.\d{3}[.,]/.test(text)),
  }
}

const COMMA_WORDS: Readonly<Record<Comma, string>> = {
  decimal: 'numbers with a decimal comma',
  thousands: 'numbers with commas between thousands',
  unclear: 'numbers whose comma may part thousands or begin the decimals',
  mixed: 'numbers with points where decimal commas were expected',
  none: 'numbers with a currency or percent sign',
}

export const writtenNumbersSentence = (name: string, { comma, example }: WrittenNumbers): string =>
  `Column "${name}" holds ${COMMA_WORDS[comma]}, such as "${example}", as text: every number would be a category of its own.`
