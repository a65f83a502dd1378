// featureboost import: a model of MCGrad, or a calibration of scikit-learn, as a model file.

import { type ImportedModel, type ImportOptions, importModel } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import { readText, writeModelFile } from '../files.ts'
import { checkOutputs, inputsOf } from '../outputs.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { printJson, printPage } from './print.ts'

interface ImportFlags extends ImportOptions {
  readonly out: string
  readonly force: boolean
  readonly json: boolean
}

const WORDS: Readonly<Record<ImportedModel['from'], string>> = {
  mcgrad: 'MCGrad',
  isotonic: 'an isotonic calibration of scikit-learn',
  sigmoid: 'a sigmoid calibration of scikit-learn',
}

export async function runImport(path: string, flags: ImportFlags): Promise<void> {
  const { force: overwrite, json, label, out, prediction, scale } = flags
  checkOutputs([{ flag: '--out', path: out, overwrite }], inputsOf([path]))
  const options = { label, prediction, ...(scale !== undefined && { scale }) }
  const imported = importModel(await readText(path), options)
  const { difference, from, model } = imported
  await writeModelFile(out, model, { overwrite })
  const { caveats } = model.certificate
  if (json)
    return printJson({ from, model: out, modelHash: model.hash, difference, caveats, certified: false })
  const { paint, width } = stdoutView()
  const paragraphs = [
    `${out}: ${sizeWords(imported)}, from ${WORDS[from]}.`,
    differenceWords(imported),
    ...caveats,
  ]
  printPage([
    ...paragraphs.map(words => wrap(visible(words), width)),
    `${paint.bold('To audit it, or to have what is left corrected and certified on rows:')}\n${nextCommands(flags, imported)}`,
  ])
}

const sizeWords = ({ model: { data } }: ImportedModel): string => {
  const trees = data.updates.reduce(
    (sum, update) => sum + (update.kind === 'forest' ? update.trees.length : 0),
    0,
  )
  const { length } = data.encoding.features
  if (length === 0) return 'a correction that looks at the score alone'
  return `${formatCount(trees)} trees in ${formatCount(data.updates.length)} rounds, on ${formatCount(length)} columns`
}

function differenceWords({ difference: { atMost, near }, from }: ImportedModel): string {
  const whose = from === 'mcgrad' ? "MCGrad's" : "scikit-learn's"
  const first = `Its predictions are within ${atMost} of ${whose}, which are not rounded to 2^-24`
  return near === undefined
    ? `${first}.`
    : `${first}, but for a score that comes within ${near} of a threshold of a tree: that tree may take its other branch.`
}

/** A model that looks at the score alone does not say of whom an audit is to speak. */
const nextCommands = ({ label, out }: ImportFlags, { model }: ImportedModel): string =>
  [
    `featureboost audit rows.csv --model ${out}${model.data.encoding.features.length === 0 ? ' --features age,region' : ''}`,
    `featureboost predict rows.csv --model ${out} --out scored.csv`,
    `featureboost fit scored.csv --label ${label} --prediction corrected --holdout 0.2 --out certified.fb.json`,
  ]
    .map(command => `  ${visible(command)}`)
    .join('\n')
