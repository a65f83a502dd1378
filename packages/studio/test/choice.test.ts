// From columns to roles, from a choice to options and to a command: guessed, changed, checked.

import { execFileSync } from 'node:child_process'
import { makeTable } from '@featureboost/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeLendingPopulation } from '../../cli/src/demo/population.ts'
import { describeTable } from '../src/data/describe.ts'
import {
  assignRole,
  findProblems,
  guessRoles,
  type Role,
  type RoleMap,
  type Words,
} from '../src/data/roles.ts'
import { auditOptionsFor, type Choice, fitOptionsFor, moreOptions, takesRounds } from '../src/run/choice.ts'
import { auditCommand, fitCommand } from '../src/run/command.ts'

const COUNT = 40
const many = <T>(make: (row: number) => T): T[] => Array.from({ length: COUNT }, (_, row) => make(row))

const cardsOf = (columns: Parameters<typeof makeTable>[0]) => describeTable(makeTable(columns))

const choiceOf = (roles: Record<string, Role>, rest: Partial<Choice> = {}): Choice => ({
  roles: new Map(Object.entries(roles)),
  unread: [],
  groups: { kind: 'trees', depth: 2 },
  values: {},
  ...rest,
})

describe('columns', () => {
  it('are described by kind, what is missing and how they are spread', () => {
    const [number, flag, text] = cardsOf({
      number: many(row => (row === 0 ? null : row)),
      flag: many(row => row % 2 === 0),
      text: many(row => 'abc'[row % 3]),
    })
    expect(number).toMatchObject({ kind: 'numeric', missing: 1, distinct: COUNT - 1, isProbability: false })
    expect(number.shape).toMatchObject({ low: 1, high: COUNT - 1 })
    const counts = 'counts' in number.shape ? number.shape.counts : []
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT - 1)
    expect(flag).toMatchObject({ kind: 'boolean', isBinary: true, isProbability: true })
    expect(text.shape).toMatchObject({ kind: 'values', others: 0 })
  })
})

describe('roles', () => {
  it('are guessed for the example', () => {
    const { columns } = makeLendingPopulation({ rows: 200, seed: 1 })
    const roles = guessRoles(cardsOf(columns))
    expect([roles.get('defaulted'), roles.get('score'), roles.get('age')]).toEqual([
      'label',
      'score',
      'feature',
    ])
  })

  it('are guessed from values where names say nothing, and not where several would do', () => {
    const roles = guessRoles(
      cardsOf({
        happened: many(row => row % 2),
        id: many(row => `x${row}`),
        same: many(() => 7),
        weight: many(row => 1 + row),
      }),
    )
    expect([...roles.values()]).toEqual(['label', 'out', 'out', 'weight'])
    const unsure = guessRoles(cardsOf({ a: many(row => row % 2), b: many(row => (row >> 1) % 2) }))
    expect([...unsure.values()]).not.toContain('label')
  })

  it('that only one column can have are taken from the other', () => {
    const columns = ['a', 'b', 'c']
    const role = fc.constantFrom<Role>('label', 'score', 'weight', 'feature', 'group', 'ids', 'fold', 'out')
    const moves = fc.array(fc.tuple(fc.constantFrom(...columns), role))
    fc.assert(
      fc.property(moves, steps => {
        let roles: RoleMap = new Map(columns.map(name => [name, 'feature']))
        for (const [name, next] of steps) {
          roles = assignRole(roles, name, next)
          expect(roles.get(name)).toBe(next)
        }
        for (const single of ['label', 'score', 'weight', 'ids', 'fold'] as const) {
          expect([...roles.values()].filter(each => each === single).length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('have problems that stop the work, and some that do not', () => {
    const cards = cardsOf({
      y: many(row => (row === 3 ? null : row % 2)),
      p: many(row => row),
      text: many(() => 'x'),
      fold: many(row => (row % 2 ? 'fit' : 'test')),
      w: many(row => row - 1),
    })
    const roles: RoleMap = new Map<string, Role>([
      ['y', 'label'],
      ['p', 'score'],
      ['text', 'feature'],
      ['fold', 'fold'],
      ['w', 'weight'],
    ])
    const found = Object.fromEntries(findProblems(cards, roles).map(({ column, stops }) => [column, stops]))
    expect(found).toEqual({ y: true, p: true, text: false, fold: true, w: true })
    const none = findProblems(cards, new Map(cards.map(({ name }) => [name, 'out'])))
    expect(none.map(({ stops }) => stops)).toEqual([true, false, true])
  })
})

describe('numbers that are text', () => {
  const cards = (text: (row: number) => string, readAs: Parameters<typeof describeTable>[1]) =>
    describeTable(makeTable({ y: many(row => row % 2), p: many(text) }), readAs)
  const problemOf = (found: ReturnType<typeof cards>, words: Words = {}) =>
    findProblems(found, guessRoles(found), words).find(({ column }) => column === 'p')

  it('are named with the choice that makes them numbers, and stop the work where they are many', () => {
    const comma = cards(row => `0,${row + 10}`, { format: 'csv' })
    expect(guessRoles(comma).get('p')).toBe('feature')
    expect(problemOf(comma)).toEqual({
      column: 'p',
      words:
        'Column "p" holds numbers with a decimal comma, such as "0,10", as text: every number would be a category of its own. To have numbers, choose the decimal comma under "How the file is written"; else leave it out, or say that its numbers are names.',
      stops: true,
    })
    expect(problemOf(comma, { categorical: ['p'] })?.words).not.toContain('comma')
    expect(problemOf(cards(row => `0,${row % 4}`, { format: 'csv' }))?.stops).toBe(false)
    const unclear = problemOf(cards(row => `${row + 1},000`, { format: 'csv' }))
    expect(unclear?.words).toContain('if the comma begins the decimals')
  })

  it('are to be written otherwise where no choice makes them numbers', () => {
    for (const [text, readAs] of [
      ['0,', { format: 'parquet' }],
      ['$1,', { format: 'csv' }],
      ['1.', { format: 'csv', decimal: ',' }],
    ] as const)
      expect(problemOf(cards(row => `${text}${row + 100}`, readAs))?.words).toContain(
        'To have numbers, write them as plain numbers first;',
      )
    expect(problemOf(cards(row => `1.${row + 100}`, { format: 'csv' }))?.words ?? '').not.toContain('numbers')
  })
})

describe('words', () => {
  const cards = cardsOf({
    outcome: many(row => (row === 3 ? null : row % 2 ? 'good' : 'bad')),
    percent: many(row => row),
    zip: many(row => 100 + (row % 3)),
  })
  const roles: RoleMap = new Map<string, Role>([
    ['outcome', 'label'],
    ['percent', 'score'],
    ['zip', 'feature'],
  ])

  it('solve problems of the label and of the score, each its own', () => {
    expect(guessRoles(cards).get('outcome')).toBe('label')
    const problems = (words: Words) => findProblems(cards, roles, words).map(({ column }) => column)
    expect(problems({})).toEqual(['outcome', 'percent'])
    expect(problems({ positive: 'good' })).toEqual(['outcome', 'percent'])
    expect(problems({ positive: 'good', dropMissingLabels: true })).toEqual(['percent'])
    expect(problems({ scoreScale: 'percent' })).toEqual(['outcome'])
    expect(problems({ positive: 'good', dropMissingLabels: true, scoreScale: 'logit' })).toEqual([])
  })

  it('become options and flags, as far as their columns have the role', () => {
    const words = {
      positive: 'not paid',
      scoreScale: 'percent',
      categorical: ['zip', 'a,b'],
      dropMissingLabels: true,
    } as const
    const choice = choiceOf({ outcome: 'label', percent: 'score', zip: 'feature', 'a,b': 'group' }, { words })
    expect(fitOptionsFor(choice)).toMatchObject(words)
    expect(fitCommand(choice, { file: 'a.csv', out: 'm' })).toContain(
      `--positive 'not paid' --score-scale percent --categorical '["zip","a,b"]' --drop-missing-labels`,
    )
    const less = choiceOf({ outcome: 'label', zip: 'out', x: 'feature' }, { words })
    expect(fitOptionsFor(less)).toEqual({ label: 'outcome', positive: 'not paid', dropMissingLabels: true })
    const grouped = choiceOf({ y: 'label', 'a,b': 'group', '@c': 'group' }, { groups: { kind: 'columns' } })
    expect(fitCommand(grouped, { file: 'a.csv', out: 'm' })).toContain(`--auditors 'groups:["a,b","@c"]'`)
    expect(moreOptions(choice)).not.toContain('scoreScale')
  })
})

describe('a choice', () => {
  it('becomes options and the flags of the same names', () => {
    const choice = choiceOf(
      { y: 'label', p: 'score', w: 'weight', person: 'ids', sex: 'group', age: 'feature', id: 'out' },
      { unread: ['odd'], groups: { kind: 'columns' }, values: { epsilon: 0.1, learningRate: 0.5 } },
    )
    expect(fitOptionsFor(choice)).toMatchObject({
      label: 'y',
      prediction: 'p',
      weight: 'w',
      groupBy: 'person',
      epsilon: 0.1,
      method: 'rounds',
      learningRate: 0.5,
      auditors: { kind: 'groups', groups: ['sex'] },
    })
    expect(fitCommand(choice, { file: 'a.csv', missing: ['NA'], out: 'a.fb.json' })).toBe(
      'featureboost fit a.csv --missing NA --label y --prediction p --weight w --except id,odd --group-by person --auditors groups:sex --method rounds --epsilon 0.1 --learning-rate 0.5 --out a.fb.json',
    )
    expect(auditCommand(choice, { file: 'a.csv' })).toBe(
      'featureboost audit a.csv --label y --prediction p --weight w --except id,person,odd --groups sex',
    )
    const written = { encoding: 'windows-1252', decimal: ',', missing: ['NA'] } as const
    for (const command of [
      auditCommand(choice, { file: 'a.csv', ...written }),
      fitCommand(choice, { file: 'a.csv', ...written, out: 'm' }),
    ])
      expect(command).toContain(' a.csv --encoding windows-1252 --decimal , --missing NA --label y ')
  })

  it('protects columns that are groups, unless they are all that is learned from', () => {
    const choice = choiceOf({ y: 'label', p: 'score', sex: 'group', age: 'feature' }, {})
    expect(fitOptionsFor(choice)).toMatchObject({ protect: ['sex'] })
    expect(auditOptionsFor(choice)).toMatchObject({ protect: ['sex'], features: ['sex', 'age'] })
    expect(fitCommand(choice, { file: 'a.csv', out: 'm' })).toContain('--protect sex')
    expect(auditCommand(choice, { file: 'a.csv' })).toContain('--protect sex')
    const declared = { ...choice, groups: { kind: 'columns' } } as const
    expect(fitOptionsFor(declared)).not.toHaveProperty('protect')
    expect(auditCommand(declared, { file: 'a.csv' })).not.toContain('--protect')
  })

  it('names the depth of trees only where it is not the default', () => {
    const roles = { y: 'label', x: 'feature' } as const
    const depth = (depth: number) => choiceOf(roles, { groups: { kind: 'trees', depth } })
    expect(fitOptionsFor(depth(2)).auditors).toBeUndefined()
    expect(fitCommand(depth(2), { file: 'a.csv', out: 'm' })).not.toContain('--auditors')
    expect(fitOptionsFor(depth(3)).auditors).toMatchObject({ kind: 'trees', depth: 3 })
    expect(fitCommand(depth(3), { file: 'a.csv', out: 'm' })).toContain('--auditors trees:3')
  })

  it('offers and hands on what the method reads', () => {
    const roles = { y: 'label', x: 'feature' } as const
    const values = { stop: 'certificate', leaves: 4, epsilon: 0.1 }
    const [forests, rounds] = ['forest', 'rounds'].map(method =>
      choiceOf(roles, { values: { ...values, method } }),
    )
    expect(moreOptions(forests)).toEqual(
      expect.arrayContaining(['method', 'leaves', 'parts', 'learningRate']),
    )
    expect(moreOptions(forests)).not.toContain('stop')
    expect(moreOptions(rounds)).not.toContain('leaves')
    expect(fitOptionsFor(forests)).toEqual({ label: 'y', method: 'forest', leaves: 4, epsilon: 0.1 })
    expect(fitOptionsFor(rounds)).toEqual({ label: 'y', method: 'rounds', stop: 'certificate', epsilon: 0.1 })
  })

  it('takes rounds where the library would', () => {
    const roles = { y: 'label', x: 'feature' } as const
    expect(takesRounds(choiceOf(roles))).toBe(false)
    expect(takesRounds(choiceOf(roles, { values: { stop: 'certificate' } }))).toBe(false)
    expect(takesRounds(choiceOf(roles, { values: { method: 'rounds' } }))).toBe(true)
    expect(takesRounds(choiceOf(roles, { values: { method: 'forest' } }))).toBe(false)
    expect(takesRounds(choiceOf(roles, { groups: { kind: 'columns' } }))).toBe(true)
  })

  it('is quoted for a shell, whatever names are', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(text => !/[\0\n\r]/.test(text))
    fc.assert(
      fc.property(name, name, name, (label, file, out) => {
        const command = fitCommand(choiceOf({ [label]: 'label', [`${out}!`]: 'out' }), { file, out: 'm' })
        const words = command.replace(/^featureboost/, "printf '%s\\n'")
        const read = execFileSync('sh', ['-c', words], { encoding: 'utf8' }).split('\n')
        expect(read.slice(0, 4)).toEqual(['fit', file, '--label', label])
        const listed = read[read.indexOf('--except') + 1]
        expect(
          listed.startsWith('[') ? JSON.parse(listed) : listed.split(',').map(each => each.trim()),
        ).toEqual([`${out}!`])
      }),
      { numRuns: 40 },
    )
  })
})
