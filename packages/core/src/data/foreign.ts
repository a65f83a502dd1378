// Files that are no tables we read, known by their first bytes whatever their name is, and what to do with them.

/** How many bytes tell. */
export const FOREIGN_BYTES = 512

export interface Foreign {
  /** "an Excel workbook" */
  readonly what: string
  readonly todo: string
}

interface Sign extends Foreign {
  readonly is: (bytes: Uint8Array, text: string) => boolean
}

const starts =
  (...codes: readonly number[]) =>
  (bytes: Uint8Array): boolean =>
    codes.every((code, index) => bytes[index] === code)

const isZip = starts(0x50, 0x4b, 3, 4)
const SPREADSHEET = 'Save the sheet as CSV (UTF-8), or export it as Parquet.'
const ARROW = 'Save it as Parquet: in Python, pandas.read_feather(...).to_parquet(...).'

/** The first that fits. Signs that a header line might begin with are looked at to where no text would go on. */
const FOREIGN: readonly Sign[] = [
  {
    is: (bytes, text) => isZip(bytes) && /\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|xl\//.test(text),
    what: 'an Excel workbook (.xlsx)',
    todo: SPREADSHEET,
  },
  {
    is: (bytes, text) => isZip(bytes) && text.includes('opendocument.spreadsheet'),
    what: 'an OpenDocument spreadsheet (.ods)',
    todo: SPREADSHEET,
  },
  { is: isZip, what: 'a ZIP archive', todo: 'Unpack it, and name the file that was in it.' },
  { is: starts(0xd0, 0xcf, 0x11, 0xe0), what: 'an Excel workbook (.xls)', todo: SPREADSHEET },
  { is: (_, text) => text.startsWith('ARROW1\0\0'), what: 'an Arrow file (.feather, .arrow)', todo: ARROW },
  { is: (_, text) => text.startsWith('FEA1\0'), what: 'a Feather file of version 1', todo: ARROW },
  { is: starts(0xff, 0xff, 0xff, 0xff), what: 'an Arrow stream', todo: 'Save it as Parquet.' },
  {
    is: (_, text) => text.startsWith('SQLite format 3'),
    what: 'an SQLite database',
    todo: 'Export its table as CSV.',
  },
  { is: starts(0x1f, 0x8b), what: 'packed with gzip', todo: 'Give it a name that ends in .gz.' },
  { is: starts(0x28, 0xb5, 0x2f, 0xfd), what: 'packed with zstd', todo: 'Give it a name that ends in .zst.' },
  { is: (_, text) => /^BZh[1-9]1AY&SY/.test(text), what: 'packed with bzip2', todo: 'Unpack it (bunzip2).' },
  { is: starts(0xfd, 0x37, 0x7a, 0x58, 0x5a), what: 'packed with xz', todo: 'Unpack it (unxz).' },
  { is: (_, text) => text.startsWith('%PDF-'), what: 'a PDF document', todo: 'Save its table as CSV.' },
]

/** `bytes`: the first of a file. */
export function findForeign(bytes: Uint8Array): Foreign | undefined {
  const text = Array.from(bytes.subarray(0, FOREIGN_BYTES), byte => String.fromCharCode(byte)).join('')
  return FOREIGN.find(({ is }) => is(bytes, text))
}
