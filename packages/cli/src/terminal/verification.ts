// What verify found, on the terminal: the answer, what differs, and what is proven.

import type { Verification } from '@featureboost/core'
import type { Difference } from '@featureboost/core/internal'
import { layoutTable, wrap } from './layout.ts'
import { layoutProven } from './verdict.ts'
import type { View } from './view.ts'
import { clip, visible } from './width.ts'

/** Differences shown; the rest are counted. */
const SHOWN = 12

/** What was asked of verify besides the rows. */
export interface Asked {
  readonly expected: number
  /** The fingerprint of the key that the file is signed with. */
  readonly key: string | undefined
}

export function layoutVerification(found: Verification, asked: Asked, view: View): string[] {
  const { certificate, differences, matches, newRows, refit, shortfalls } = found
  const { paint, width } = view
  const verdict = matches ? paint.good('Verified.') : paint.bad('Not verified.')
  const sentences = [...rowSentences(found), ...otherSentences(found, asked)]
  return [
    wrap(`${verdict} ${sentences.join(' ')}`, width),
    ...layoutDifferences(differences, 'on these rows', view),
    ...(shortfalls.length === 0
      ? []
      : [shortfalls.map(({ sentence }) => wrap(`- ${visible(sentence)}`, width, 2)).join('\n')]),
    ...layoutDifferences(refit?.differences ?? [], 'repeated', view),
    layoutProven(certificate, { claimed: newRows === 'claimed' }, view),
    ...(newRows === 'claimed' && refit === undefined && matches ? [wrap(CLAIMED, width)] : []),
  ]
}

const CLAIMED =
  'The bound for new rows relies on the file, which says that held-out rows were kept out of the fit: verify --refit repeats the fit to check.'

function rowSentences({ differences }: Verification): string[] {
  if (differences.length === 0) return ['These rows give the certificate of the model, number for number.']
  const others = differences.some(({ path }) => path === 'certificate.rows.fingerprint')
  const why = others
    ? 'These are not the rows that the model was fitted to, or not all of them'
    : 'The rows are those of the fit, but the file says something else about them'
  return [`${why}: ${countOf(differences.length)}.`]
}

function otherSentences({ refit, shortfalls }: Verification, { expected, key }: Asked): string[] {
  const met = expected - new Set(shortfalls.map(shortfall => shortfall.key.split('.')[0])).size
  return [
    ...(expected === 0
      ? []
      : shortfalls.length === 0
        ? [`The file claims what was expected (${expected} ${expected === 1 ? 'fact' : 'facts'}).`]
        : [
            `The file claims something else, or less, than was expected: ${met} of ${expected} facts are as they should be.`,
          ]),
    ...(refit === undefined
      ? []
      : refit.matches
        ? ['The fit was repeated and gave this file, byte for byte.']
        : [
            `The fit was repeated and gave another file: ${countOf(refit.differences.length)}. This one was changed after its fit, or is of another release of featureboost.`,
          ]),
    ...(key === undefined ? [] : [`It is signed with the key ${key}.`]),
  ]
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'value differs' : 'values differ'}`

function layoutDifferences(differences: readonly Difference[], where: string, view: View): string[] {
  if (differences.length === 0) return []
  const { glyphs, width } = view
  const cell = (value: unknown) => clip(visible(inWords(value)), Math.floor((width - 4) / 3), glyphs.cut)
  const shown = differences
    .slice(0, SHOWN)
    .map(({ found, path, stated }) => [cell(path), cell(stated), cell(found)])
  const rest = differences.length > SHOWN ? [`... and ${differences.length - SHOWN} more`] : []
  return [layoutTable(['statement', 'in the model', where], shown, view), ...rest]
}

const inWords = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
