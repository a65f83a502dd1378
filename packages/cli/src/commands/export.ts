// featureboost export: a model as SQL, JavaScript, Python or ONNX, to score where the rows are.

import { writeFile } from 'node:fs/promises'
import { type ExportOptions, type ExportTarget, exportModel } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { readModelFile, replaceFile } from '../files.ts'
import { checkOutputs, inputsOf } from '../outputs.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { printJson, printPage } from './print.ts'

interface ExportFlags extends ExportOptions {
  readonly out: string
  readonly force: boolean
  readonly json: boolean
}

/** Flags that some targets take, as they are typed. */
const FLAGS: Readonly<Record<string, readonly ExportTarget[]>> = {
  dialect: ['sql'],
  table: ['sql'],
  view: ['sql'],
  key: ['sql'],
  as: ['sql', 'onnx'],
}

export async function runExport(path: string, flags: ExportFlags): Promise<void> {
  const { force: overwrite, json, out, ...given } = flags
  const { to } = given
  for (const [name, targets] of Object.entries(FLAGS))
    if (given[name as keyof typeof given] !== undefined && !targets.includes(to))
      throw new CommandError(2, `--${name} is for --to ${targets.join(' and ')}, not for ${to}.`)
  if (to === 'sql' && given.dialect === undefined)
    throw new CommandError(2, '--to sql needs --dialect: which database is it for?')
  const types = to === 'js' ? typesPath(out) : undefined
  const outputs = [out, types].filter(each => each !== undefined)
  checkOutputs(
    outputs.map(each => ({ flag: '--out', path: each, overwrite })),
    inputsOf([path]),
  )
  const model = await readModelFile(path)
  const exported = exportModel(model, given)
  await replaceFile(out, temporary => writeFile(temporary, exported.content))
  if (types !== undefined) await replaceFile(types, temporary => writeFile(temporary, exported.types!))
  if (json) printJson({ model: path, modelHash: model.hash, to, files: outputs })
  else
    printPage([
      wrap(visible(`${whatIs(to, out, exported.content.length)}${typesWords(types)}`), stdoutView().width),
    ])
}

/** "loans.mjs" has its types in "loans.d.mts". */
const typesPath = (out: string): string =>
  /\.[cm]?js$/.test(out) ? out.replace(/\.([cm]?)js$/, '.d.$1ts') : `${out}.d.ts`

const typesWords = (types: string | undefined): string => (types === undefined ? '' : ` Its types: ${types}.`)

const WORDS: Readonly<Record<ExportTarget, string>> = {
  sql: 'the SELECT that scores rows where they are',
  js: 'an ES module without dependencies; predict(row) is the corrected score',
  python: 'a Python file that needs numpy; predict(frame) gives the corrected scores',
  onnx: 'a graph for onnxruntime, one input for each column',
}

const whatIs = (to: ExportTarget, out: string, length: number): string =>
  `${out}: ${WORDS[to]}, ${formatCount(Math.ceil(length / 1000))} kB.`
