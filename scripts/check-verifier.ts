// Does the verifier in Python, which shares no code with us, find what our command line wrote? Models of made-up tables, with every kind of
// update, role and class: it has to find every part the same, and every prediction to the unit. Then forged files: it has to refuse each.
//
//   npx tsx scripts/check-verifier.ts --python PYTHON [--only WORD] [--keep FOLDER]
//
// One line for each file; ends with 1 where a genuine one is refused or a forged one is not. The command line is the one that is built.
// --only: models with this word in their name, and no forged files. --keep: files are written there, and stay.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { forge } from '../packages/cli/test/forge.ts'
import { makeRandom } from '../packages/core/src/common/random.ts'

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
  },
})
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'featureboost-verifier-'))
mkdirSync(folder, { recursive: true })
const at = (name: string): string => join(folder, name)

interface Answer {
  readonly code: number
  readonly text: string
}

async function run(command: string, parameters: readonly string[]): Promise<Answer> {
  try {
    const { stdout } = await promisify(execFile)(command, [...parameters], { maxBuffer: 2 ** 26 })
    return { code: 0, text: stdout }
  } catch (error) {
    const { code, stderr, stdout } = error as { code: number; stderr: string; stdout: string }
    return { code, text: `${stdout}${stderr}` }
  }
}

const ours = (...parameters: string[]) =>
  run(process.execPath, ['packages/cli/bin/featureboost.js', ...parameters])
const theirs = (...parameters: string[]) => run(values.python, ['verifier/verify.py', ...parameters])

/** Numbers with gaps, dates, truth values, categories of which some are rare, numbers that are names; every way to write an outcome, a score and a weight. */
function makeCsv(seed: number, rowCount: number): string {
  const random = makeRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)]
  const lines = Array.from({ length: rowCount }, (_, row) => {
    const age = 18 + random.integer(50)
    const region =
      row % 120 === 7 ? pick(['île', 'overseas']) : pick(['north', 'south, inland', 'east', 'west'])
    const member = random.next() < 0.4
    const score = Math.round(1000 * (0.1 + 0.8 * random.next())) / 1000
    const truth = score + (region === 'east' ? 0.3 : 0) - (age < 30 ? 0.25 : 0) + (member ? 0.1 : -0.1)
    const y = Number(random.next() < truth)
    const joined = new Date(Date.UTC(2020, 0, 1 + random.integer(900))).toISOString().slice(0, 10)
    const cells = [
      ...[
        y,
        row % 50 === 3 ? '' : y ? 'bad' : 'good',
        score,
        Math.round(100 * score),
        Math.round(50 * (score - 0.5)) / 10,
      ],
      ...[
        1 + random.integer(3),
        Math.round(100 * random.next()) / 40,
        1 + random.integer(Math.ceil(rowCount / 3)),
      ],
      ...[random.next() < 0.3 ? 'holdout' : 'fit', row % 17 === 4 ? '' : age, `"${region}"`, member],
      ...[
        row % 29 === 5 ? '' : joined,
        pick(['12', '7', '030', '45.50']),
        Math.round(1e4 * random.next()) / 1e3,
      ],
    ]
    return cells.join(',')
  })
  // Some rows stand there again.
  const copies = lines.filter((_, row) => row % 9 === 0)
  return [HEADER, ...lines, ...copies, ''].join('\n')
}

const HEADER = 'y,outcome,score,percent,logodds,times,weight,person,side,age,region,member,joined,code,debt'

const FEATURES = 'age,region,member,joined,debt'
const WORDS = ['--label', 'outcome', '--positive', 'bad', '--drop-missing-labels']
const SCORED = ['--label', 'y', '--prediction', 'score']
const HELD = ['--holdout', '0.25', '--epsilon', '0.1']
const ROUNDS = [...SCORED, '--method', 'rounds', '--round-limit', '6', '--epsilon', '0.1']
const CHECKED = [...ROUNDS, '--stop', 'certificate']
const few = (...parameters: string[]) => [...parameters, '--round-limit', '12']

/** What each model is fitted with, by name. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'the default method': few(...SCORED, ...HELD),
  'a forest alone, several candidates': few(...SCORED, ...HELD, '--method', 'forest', '--chosen-from', '3'),
  'rounds that held-out rows stop': [...ROUNDS, ...HELD.slice(0, 2)],
  'rounds until the certificate, nothing held out': CHECKED,
  'constant factors': [...CHECKED, '--guarantee', 'multiaccuracy'],
  intervals: [...ROUNDS, '--factors', 'intervals'],
  'signed bins': [...ROUNDS, '--factors', 'signed'],
  'weighted bins': [...ROUNDS, '--factors', 'weighted'],
  'level sets': [...ROUNDS, '--factors', 'level-sets'],
  'the level-set guarantee': [...ROUNDS, '--guarantee', 'level-set', '--holdout', '0.2'],
  'trees of depth 1': [...ROUNDS, '--auditors', 'trees:1'],
  'trees of depth 3': [...ROUNDS, '--auditors', 'trees:3'],
  'a small cell budget': [...ROUNDS, '--cell-budget', '5000'],
  'groups of columns': [...ROUNDS, '--auditors', 'groups:region,member,age', ...HELD.slice(0, 2)],
  'groups by conditions': [...ROUNDS, '--auditors', `groups:@${at('groups.json')}`, '--factors', 'signed'],
  'whole weights': few(...SCORED, ...HELD, '--weight', 'times'),
  'weights with fractions': [...ROUNDS, ...HELD.slice(0, 2), '--weight', 'weight', '--protect', 'member'],
  'ids, each on one side': [
    ...ROUNDS,
    ...HELD.slice(0, 2),
    '--group-by',
    'person',
    '--weight',
    'times',
    '--protect',
    'region',
  ],
  'independent copies': [...ROUNDS, ...HELD.slice(0, 2), '--copies', 'independent', '--weight', 'times'],
  'a fold column': [...ROUNDS, '--fold', 'side', '--protect', 'member,age'],
  'percent, words, missing labels, protected columns': [
    ...[
      ...WORDS,
      '--prediction',
      'percent',
      '--score-scale',
      'percent',
      '--method',
      'rounds',
      '--round-limit',
      '5',
    ],
    ...[...HELD, '--rare', '0.05', '--protect', 'region,member'],
  ],
  'log odds, numbers that are names': [
    ...['--label', 'y', '--prediction', 'logodds', '--score-scale', 'logit', ...HELD, '--method', 'rounds'],
    ...[
      '--round-limit',
      '4',
      '--categorical',
      'code',
      '--features',
      `${FEATURES},code`,
      '--coarse-bins',
      '5',
    ],
  ],
  'a constant to start from': [
    '--label',
    'y',
    '--method',
    'rounds',
    '--round-limit',
    '5',
    ...HELD,
    '--seed',
    '7',
  ],
  'isotonic regression': [...SCORED, ...HELD, '--method', 'isotonic'],
  'temperature scaling': [...SCORED, ...HELD, '--method', 'temperature'],
  'histogram binning': [...SCORED, ...HELD, '--method', 'histogram'],
  lsboost: few(...SCORED, ...HELD, '--method', 'lsboost'),
  'multiaccuracy boost': few(...SCORED, ...HELD, '--method', 'multiaccuracy-boost'),
  jin: few(...SCORED, ...HELD, '--method', 'jin'),
  hkrr: few(...SCORED, ...HELD, '--method', 'hkrr'),
  'low degree': few(...SCORED, ...HELD, '--method', 'low-degree'),
  'linear auditors': [...ROUNDS, '--auditors', 'linear', '--factors', 'table', ...HELD.slice(0, 2)],
}

/** Parts of a file that the list of forgeries leaves out. */
// biome-ignore lint/suspicious/noExplicitAny: the contents of a model file, to be changed anywhere.
const CHANGES: Readonly<Record<string, (contents: any) => void>> = {
  'an update moved by 2^-10': ({ updates }) => {
    updates[0].values = updates[0].values.map((value: number) => value + 2 ** 14)
  },
  'a bound on the fitting rows made smaller': ({ certificate }) => {
    certificate.rungs[1].bound *= 0.9
  },
  'an error before made larger': ({ certificate }) => {
    const { multicalibration } = certificate.before
    multicalibration.error = multicalibration.atMost = 1.1 * multicalibration.error
  },
  'an error after made smaller': ({ certificate }) => {
    certificate.after.levelSet.error = certificate.after.levelSet.atMost *= 0.9
  },
  'more independent rows held out': ({ certificate }) => {
    certificate.heldOut.units.count += 1
    certificate.heldOut.units.rows += 1
  },
  'a smaller gap of a protected group': ({ certificate }) => {
    certificate.protected[0].gap /= 2
  },
  'a protected group left out': ({ certificate }) => {
    certificate.protected.pop()
  },
  'more splits in the words of the class': ({ certificate }) => {
    certificate.auditors = certificate.auditors.replace(/\((\d+) splits/, '($10 splits')
  },
  'another update as the best one left': ({ certificate }) => {
    certificate.tolerances[0].update.values[0] += 2 ** 16
  },
}

/** Of forgeries by others: words are not recomputed, and which options a method reads is not among the verifier's questions. */
const NOT_ASKED = ['other words of a statement', 'an option that the method does not read']

let [wrong, count] = [0, 0]
function tell(name: string, isRight: boolean, { text }: Answer): void {
  count++
  if (!isRight) wrong++
  const lines = text.trim().split('\n')
  const shown = lines.filter(line => /differs:|refused|Error/.test(line)).map(line => line.slice(0, 160))
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${name}${shown.length === 0 ? '' : ` (${shown[0]})`}`)
  if (!isRight) console.log(text)
}

async function checkModel(name: string, parameters: readonly string[], index: number): Promise<void> {
  const [rows, model, scored] = [`rows-${index}.csv`, `model-${index}.fb.json`, `scored-${index}.csv`].map(at)
  writeFileSync(rows, makeCsv(index + 1, 420))
  const columns = parameters.includes('--features') ? [] : ['--features', FEATURES]
  const fitted = await ours('fit', rows, ...parameters, ...columns, '--quiet', '--force', '--out', model)
  if (fitted.code !== 0) return tell(name, false, fitted)
  const predicted = await ours('predict', rows, '--model', model, '--quiet', '--force', '--out', scored)
  if (predicted.code !== 0) return tell(name, false, predicted)
  const answer = await theirs(model, rows, '--predictions', scored, 'corrected')
  tell(`genuine: ${name}`, answer.code === 0, answer)
}

async function checkFile(name: string, model: string, rows: string, found = /./): Promise<void> {
  const answer = await theirs(at(model), at(rows))
  tell(`forged: ${name}`, answer.code === 4 && found.test(answer.text), answer)
}

async function checkForged(): Promise<void> {
  const written = await run('npx', ['tsx', 'scripts/write-forged.ts', '--by', 'read,verify', '--out', folder])
  if (written.code !== 0) return tell('the forged files', false, written)
  const list = JSON.parse(readFileSync(at('forged.json'), 'utf8')) as {
    name: string
    file: string
    rows: string
  }[]
  const genuine = readFileSync(at('rounds.fb.json'), 'utf8')
  const changed = Object.entries(CHANGES).map(([name, change], index) => {
    const file = `changed-${index}.fb.json`
    writeFileSync(at(file), forge(genuine, change))
    return { name, file, rows: 'rounds.csv' }
  })
  const asked = [...list.filter(({ name }) => !NOT_ASKED.includes(name)), ...changed]
  await inTwos(asked, ({ file, name, rows }) => checkFile(name, file, rows))
  writeFileSync(at('unsealed.fb.json'), genuine.replace(/"epsilon": ?0.1/, '"epsilon":0.2'))
  await checkFile('a file that was not sealed again', 'unsealed.fb.json', 'rounds.csv', /hash: differs/)
}

/** Two at a time, begun in their order. */
async function inTwos<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...list]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all([worker(), worker()])
}

writeFileSync(
  at('groups.json'),
  JSON.stringify([
    { column: 'age', atMost: 30 },
    [
      { column: 'age', above: 30 },
      { column: 'region', in: ['east', 'west'] },
    ],
    { name: 'late', where: [{ column: 'joined', atLeast: '2021-06-01', orMissing: true }] },
    { column: 'region', notIn: ['north'] },
    { column: 'member', is: true },
    'debt',
  ]),
)
const chosen = Object.entries(MODELS).map(([name, parameters], index) => ({ name, parameters, index }))
await inTwos(
  chosen.filter(({ name }) => name.includes(values.only)),
  ({ index, name, parameters }) => checkModel(name, parameters, index),
)
if (values.only === '') await checkForged()
if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
console.log(`${count - wrong} of ${count} files are told as they should be`)
process.exit(wrong === 0 ? 0 : 1)
