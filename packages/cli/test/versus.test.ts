// The benchmark against the peers: splits, keys of what is kept, groups, arrays on disk and paired intervals. The peers
// themselves run in .ci/peers.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit, makeTable } from '@featureboost/core'
import { makeRandom, segmentError } from '@featureboost/core/internal'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandOf, readArguments } from '../../../bench/versus/arguments.ts'
import { readDoubles, readFacts, readPart, readyColumns, writeDoubles } from '../../../bench/versus/arrays.ts'
import { hashFolder, keepFolder, keyOf } from '../../../bench/versus/cache.ts'
import { basesOf, DATA, loadSplit, splitReal } from '../../../bench/versus/datasets.ts'
import { groupColumnsOf, makeGroups } from '../../../bench/versus/groups.ts'
import { keepScores } from '../../../bench/versus/keptScores.ts'
import { OURS, PEERS, readOurs } from '../../../bench/versus/methods.ts'
import { makePopulation, POPULATIONS } from '../../../bench/versus/populations.ts'
import { writeCase } from '../../../bench/versus/prepare.ts'
import { lastError, methodKey } from '../../../bench/versus/processes.ts'
import { MEASURES, makeScorer } from '../../../bench/versus/score.ts'
import { differenceOf } from '../../../bench/versus/spread.ts'
import { walkRatio } from '../../../bench/versus/worstSegment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const patients = {
  name: 'visits',
  rowCount: 300,
  label: 'label' as const,
  columns: {
    patient: Array.from({ length: 300 }, (_, row) => row % 90),
    age: Array.from({ length: 300 }, (_, row) => (row % 7 === 0 ? null : row % 50)),
    ward: Array.from({ length: 300 }, (_, row) => ['east', 'west', null][row % 3]),
    label: Array.from({ length: 300 }, (_, row) => Number(row % 5 === 0)),
  },
}
const spec = { splitBy: 'patient', groupColumns: ['age', 'ward'] }

describe('a split', () => {
  it('gives every row one use and keeps the rows of one id together, for every seed', () => {
    fc.assert(
      fc.property(fc.nat(), seed => {
        const { parts } = splitReal(spec, patients, seed)
        const all = [...parts.base, ...parts.calibration, ...parts.test]
        expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, row) => row))
        const ids = (rows: readonly number[]) => new Set(rows.map(row => row % 90))
        for (const id of ids(parts.calibration)) {
          expect(ids(parts.base).has(id) || ids(parts.test).has(id)).toBe(false)
        }
      }),
    )
  })

  it('takes a sample of the calibration rows when told so, and leaves the other parts as they are', () => {
    const whole = splitReal(spec, patients, 3).parts
    const small = splitReal(spec, patients, 3, 20).parts
    expect(small.calibration).toHaveLength(20)
    expect(small.calibration.every(row => whole.calibration.includes(row))).toBe(true)
    expect([small.base, small.test]).toEqual([whole.base, whole.test])
  })

  it('makes features of neither the label nor the id', () => {
    expect(Object.keys(splitReal(spec, patients, 1).columns)).toEqual(['age', 'ward'])
  })

  it('of a population has no base rows, and a smaller calibration part is the beginning of the larger', () => {
    const whole = loadSplit(DATA.quick, 1)
    const small = loadSplit(DATA.quick, 1, 100)
    expect(whole.parts.base).toEqual([])
    expect(small.parts.calibration).toEqual(whole.parts.calibration.slice(0, 100))
    expect(small.parts.test).toEqual(whole.parts.test)
    expect(basesOf(DATA.quick)).toEqual(['given'])
  })
})

describe('a population', () => {
  const mean = (values: ArrayLike<number>) =>
    Array.from(values).reduce((sum, v) => sum + v, 0) / values.length

  it('is the same for the same seed, and has labels that follow the truth', () => {
    for (const name of Object.keys(POPULATIONS)) {
      const population = makePopulation(name, 5000, 5)
      expect(makePopulation(name, 5000, 5)).toEqual(population)
      const { label, truth } = population
      const spread = Math.sqrt(mean(truth.map(p => p * (1 - p))) / label.length)
      expect(Math.abs(mean(label) - mean(truth))).toBeLessThan(5 * spread)
    }
  })

  it('is as hard as it says: 1 % positive, tiny groups far off, scores of 0 and 1', () => {
    expect(mean(makePopulation('rare', 50_000, 1).truth)).toBeCloseTo(0.01, 2.7)
    const tiny = makePopulation('tiny', 20_000, 1)
    const rows = [...tiny.columns.twin.entries()].filter(([, flag]) => flag === 'yes').map(([row]) => row)
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.length).toBeLessThan(150)
    expect(mean(rows.map(row => tiny.score[row] - tiny.truth[row]))).toBeGreaterThan(0.3)
    expect(new Set(makePopulation('hard', 1000, 1).score)).toEqual(new Set([0, 1]))
  })
})

describe('a case on disk', () => {
  it('reads back what was written: numbers, codes, missing values and labels', () => {
    const split = splitReal(spec, patients, 2)
    writeCase(folder, { data: 'visits', seed: 2 }, split)
    const facts = readFacts(folder)
    expect(facts.rowCounts.test).toBe(split.parts.test.length)
    const { columns, label } = readPart(folder, facts, 'test')
    const ready = readyColumns(facts.features, columns)
    split.parts.test.forEach((row, index) => {
      expect(label[index]).toBe(patients.columns.label[row])
      expect(columns[0][index]).toBe(patients.columns.age[row] ?? Number.NaN)
      const { ward } = ready
      const found = ward.kind === 'categorical' ? (ward.categories[ward.codes[index]] ?? null) : undefined
      expect(found).toBe(patients.columns.ward[row])
    })
    expect(readdirSync(folder)).toContain('calibration.groups.u8')
  })

  it('is refused when a file is cut short', () => {
    writeCase(folder, { data: 'visits', seed: 2 }, splitReal(spec, patients, 2))
    const facts = readFacts(folder)
    writeDoubles(join(folder, 'test.f64'), new Float64Array(3))
    expect(() => readPart(folder, facts, 'test')).toThrow('does not hold')
    writeFileSync(join(folder, 'odd.f64'), 'abc')
    expect(() => readDoubles(join(folder, 'odd.f64'))).toThrow('not doubles')
  })
})

describe('groups', () => {
  it('are values of categories and quarters of numbers; small ones are left out, missing values are in none', () => {
    const features = [
      { name: 'age', kind: 'number' as const },
      { name: 'town', kind: 'category' as const, categories: ['large', 'small'] },
    ]
    const age = Float64Array.from({ length: 1000 }, (_, row) => (row === 0 ? Number.NaN : row))
    const town = Float64Array.from({ length: 1000 }, (_, row) => (row < 4 ? 1 : row === 4 ? -1 : 0))
    const groups = makeGroups(features, [age, town], ['age', 'town'])
    expect(groups).toHaveLength(5)
    expect(groups.at(-1)!.name).toBe('town = large')
    const columns = groupColumnsOf(groups, [age, town])
    for (let row = 1; row < 1000; row++)
      expect(columns.slice(0, 4).reduce((sum, of) => sum + of[row], 0)).toBe(1)
    expect(columns.every(of => of[0] === 0)).toBe(true)
    expect(() => makeGroups(features, [age, town], ['city'])).toThrow('"city"')
  })
})

describe('what is kept', () => {
  it('has a key that does not hang on the order of fields, and differs with any value', () => {
    expect(keyOf({ a: 1, b: [2, { c: 3 }] })).toBe(keyOf({ b: [2, { c: 3 }], a: 1 }))
    expect(keyOf({ a: 1, b: undefined })).toBe(keyOf({ a: 1 }))
    const keys = [{ a: 1 }, { a: '1' }, { a: [1] }, { b: 1 }, { a: null }].map(keyOf)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('is made once, again when asked to, and never half', async () => {
    const kept = join(folder, 'kept')
    let made = 0
    const make = (into: string) => writeFileSync(join(into, 'file'), String(++made))
    expect((await keepFolder(kept, false, make)).found).toBe(false)
    const before = hashFolder(kept)
    expect((await keepFolder(kept, false, make)).found).toBe(true)
    expect(made).toBe(1)
    await keepFolder(kept, true, make)
    expect(hashFolder(kept)).not.toBe(before)
    const fails = (into: string) => {
      make(into)
      throw new Error('no')
    }
    await expect(keepFolder(join(folder, 'other'), false, fails)).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual(['kept'])
    await expect(keepFolder(kept, true, fails)).rejects.toThrow('no')
    expect(existsSync(join(kept, 'file'))).toBe(true)
  })

  it('of a peer hangs on data, settings, seed, threads and the versions of its own packages', () => {
    const versions = { Python: '3.11', MCGrad: '0.1.5', lightgbm: '4.6.0', numpy: '2', 'scikit-learn': '1' }
    const shop = { threads: 2, versions }
    const mcgrad = PEERS.find(({ name }) => name === 'mcgrad')!
    const key = methodKey(shop, mcgrad, ['rows'], 1)
    expect(
      methodKey({ threads: 2, versions: { ...versions, 'scikit-learn': '9' } }, mcgrad, ['rows'], 1),
    ).toBe(key)
    const others = [
      methodKey({ ...shop, threads: 1 }, mcgrad, ['rows'], 1),
      methodKey({ threads: 2, versions: { ...versions, MCGrad: '0.2' } }, mcgrad, ['rows'], 1),
      methodKey(shop, { ...mcgrad, settings: { learning_rate: 0.1 } }, ['rows'], 1),
      methodKey(shop, mcgrad, ['other rows'], 1),
      methodKey(shop, mcgrad, ['rows'], 2),
    ]
    expect(new Set([key, ...others]).size).toBe(6)
  })
})

describe('a method that fails', () => {
  it('is quoted with the line that names the error, of Python and of Node', () => {
    expect(lastError('Traceback\n  File "x"\nValueError: no rows\n')).toBe('ValueError: no rows')
    expect(lastError('at x.js:1\n\nFeatureBoostError: FB_PLAN\n    at fit\n\nNode.js v20\n')).toBe(
      'FeatureBoostError: FB_PLAN',
    )
    expect(lastError('Killed\n')).toBe('Killed')
    expect(lastError('')).toBe('')
  })
})

describe('the command line of the benchmark', () => {
  it('knows data, methods and settings of ours by name', () => {
    const settings = readArguments([
      '--data',
      'adult:1,tiny',
      '--methods',
      'ours,mcgrad',
      '--ours',
      'fine={"bins":30}',
      '--seeds',
      '2',
    ])
    expect(settings.data).toEqual([
      { name: 'adult', seeds: [1] },
      { name: 'tiny', seeds: settings.seeds },
    ])
    expect(settings.methods.map(({ name }) => name)).toEqual(['mcgrad', 'ours', 'ours:fine'])
    expect(settings.methods.at(-1)!.settings).toEqual({ bins: 30 })
    expect(settings.seeds).toEqual([1, 2])
    expect(readArguments(['--calibration-rows', 'all,2000']).calibrationRows).toEqual([undefined, 2000])
    expect(readArguments(['--quick']).data).toEqual([{ name: 'quick', seeds: [1] }])
    expect(readArguments(['--data', 'adult:1', '--from', '7', '--seeds', '2'])).toMatchObject({
      data: [{ name: 'adult', seeds: [7] }],
      seeds: [7, 8],
    })
    expect(readOurs('{"stop":"certificate"}').name).not.toBe(OURS.name)
  })

  it('is quoted without the places of one machine', () => {
    const given = [
      '--data',
      'adult',
      '--out',
      '/home/me/x.json',
      '--cache=/c',
      '--ours',
      '{"bins":3}',
      '--quick',
    ]
    expect(commandOf(given)).toBe(`npx tsx bench/versus/run.ts --data adult --ours '{"bins":3}' --quick`)
  })

  it.each([
    [['--data', 'adlut'], 'adlut'],
    [['--methods', 'mcgard'], 'mcgard'],
    [['--bases', 'good'], 'good'],
    [['--seeds', '0'], 'whole number'],
    [['--data', 'adult:0'], 'whole number'],
    [['--ours', '[1]'], 'JSON object'],
  ])('refuses %j', (given, reason) => {
    expect(() => readArguments(given)).toThrow(reason)
  })
})

describe('the scorer', () => {
  const { columns, label, score, truth } = makePopulation('tiny', 1500, 4)
  const categories = (name: string) => [...new Set(columns[name] as string[])].sort()
  const features = Object.keys(columns).map(name =>
    typeof columns[name][0] === 'number'
      ? ({ name, kind: 'number' } as const)
      : ({ name, kind: 'category', categories: categories(name) } as const),
  )
  const encoded = features.map(feature =>
    Float64Array.from(columns[feature.name], value =>
      feature.kind === 'number' ? Number(value) : feature.categories.indexOf(String(value)),
    ),
  )
  const facts = {
    data: 'tiny',
    seed: 4,
    features,
    groups: [],
    rowCounts: { base: 0, calibration: 0, test: 1500 },
    truth: true,
  }
  const scorer = makeScorer(facts, { columns: encoded, label }, 1)

  it('finds the worst errors that audit finds, each the mean of its shares', async () => {
    const table = makeTable({ ...readyColumns(features, encoded), y: label, f: score })
    const found = await audit(table, { label: 'y', prediction: 'f', segmentDepth: 3, draws: 0, threads: 1 })
    const { values, worst } = await scorer.score(score)
    expect(values.worstK1).toBeCloseTo(found.multicalibration.value, 6)
    expect(values.levelSet).toBeCloseTo(found.levelSet.value, 6)
    expect(values.mceSigma).toBeCloseTo(found.mce!.sigma.value, 9)
    for (const { shares, value } of [worst.worstK1, worst.levelSet]) {
      expect(shares.reduce((sum, share) => sum + share, 0) / 1500).toBeCloseTo(value, 9)
    }
  })

  it('walks as MCE does when every row weighs the same, equal scores in one step', () => {
    const rounded = score.map(value => (Math.round(value * 8) + 1) / 10)
    for (const predictions of [score, rounded]) {
      const order = Uint32Array.from(label.keys()).sort((a, b) => predictions[a] - predictions[b])
      const { worst } = segmentError({ predictions, labels: label }, [])
      const ratio = walkRatio({ predictions, labels: label }, order, new Float64Array(1500).fill(1))
      expect(ratio).toBeCloseTo(worst.ratio, 9)
    }
  })

  it('has no bound for the MCE of scores of 0 and 1, and takes any bound for better', async () => {
    const [hard, soft] = [await scorer.score(score.map(Math.round)), await scorer.score(score)]
    expect(hard.values.mceSigma).toBe(Number.POSITIVE_INFINITY)
    const low = Number.NEGATIVE_INFINITY
    expect(scorer.compare(soft, hard).mceSigma).toEqual({ value: low, low, high: low })
  })

  it('says that the truth is better than the score, and that a score does not differ from itself', async () => {
    const [a, b] = [await scorer.score(truth), await scorer.score(score)]
    const { brier, logLoss } = scorer.compare(a, b)
    expect(logLoss.high).toBeLessThan(0)
    expect(brier.value).toBeCloseTo(a.values.brier - b.values.brier, 12)
    const itself = scorer.compare(a, a)
    for (const measure of MEASURES) expect(itself[measure]).toEqual({ value: 0, low: 0, high: 0 })
  })

  it('reads back what it kept, infinite values too, and asks again only for other predictions or rows', async () => {
    let asked = 0
    const counting = {
      ...scorer,
      score: (predictions: Float64Array) => {
        asked++
        return scorer.score(predictions)
      },
    }
    const hard = score.map(Math.round)
    const first = await keepScores(counting, folder, 'rows', false).score(hard)
    expect(await keepScores(counting, folder, 'rows', false).score(hard)).toEqual(first)
    expect(first).toEqual(await scorer.score(hard))
    expect(asked).toBe(1)
    await keepScores(counting, folder, 'other rows', false).score(hard)
    await keepScores(counting, folder, 'rows', false).score(truth)
    expect(asked).toBe(3)
  })

  it('refuses predictions that are missing, out of range or too few', async () => {
    await expect(scorer.score(score.slice(1))).rejects.toThrow('1499 predictions')
    for (const odd of [Number.NaN, 1.01]) {
      await expect(scorer.score(score.map((value, row) => (row === 7 ? odd : value)))).rejects.toThrow(
        'row 8',
      )
    }
  })
})

describe('a paired interval', () => {
  it('covers the true difference of means about as often as it says', () => {
    const random = makeRandom(1)
    const draw = () => {
      const shared = Float64Array.from({ length: 200 }, () => random.next())
      const shares = (off: number) => shared.map(value => value + off * random.next())
      const of = (values: Float64Array) => ({
        value: values.reduce((s, v) => s + v, 0) / 200,
        shares: values,
      })
      return differenceOf(of(shares(1)), of(shares(0.5)))
    }
    const covered = Array.from({ length: 1000 }, draw).filter(
      ({ high, low }) => low <= 0.25 && 0.25 <= high,
    ).length
    expect(covered).toBeGreaterThan(920)
    expect(covered).toBeLessThan(980)
  })
})
