// Reading model files: what is refused, with which code, at which place.

import { beforeAll, describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { FeatureBoostError, readModel } from '../../src/index.ts'
import { MODEL_SIZE_LIMIT } from '../../src/model/read.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { rejectionOf } from '../data/rejection.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { fitSmall, SMALL_KINDS } from './models.ts'
import { editModel } from './mutate.ts'
import { type Edit, REFUSED } from './refused.ts'

describe('a model file with one changed byte', () => {
  const changes: readonly [string, (text: string, at: number) => string][] = [
    ['raised by one', (text, at) => String.fromCharCode(text.charCodeAt(at) + 1)],
    ['removed', () => ''],
  ]

  it.each(changes)('(%s) is refused, unless it says the same', async (_, change) => {
    const model = await fitSmall('groups')
    const text = model.toText()
    const codes = new Set<string>()
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + change(text, at) + text.slice(at + 1)
      if (changed === text) continue
      try {
        expect(readModel(changed).hash, `character ${at}`).toBe(model.hash)
      } catch (error) {
        if (!(error instanceof FeatureBoostError)) throw error
        codes.add(error.code)
      }
    }
    expect([...codes].sort()).toEqual(expect.arrayContaining(['FB_MODEL_FORMAT', 'FB_MODEL_HASH']))
    for (const code of codes) expect(code).toMatch(/^FB_MODEL_(FORMAT|VERSION|HASH)$/)
  })
})

describe('a text that is no model', () => {
  it.each([
    ['empty', ''],
    ['not JSON', 'featureboost'],
    ['cut short', '{"format": "featureboost-model", "version": 1,'],
    ['a number', '17'],
    ['null', 'null'],
    ['a list', '[1, 2, 3]'],
    ['an empty object', '{}'],
    ['another format', '{"format": "onnx", "version": 1}'],
    ['nested a million deep', '['.repeat(1_000_000)],
    ['nested a million deep and closed', `{"format":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ])('because it is %s is refused', (_, text) => {
    const error = rejectionOf(() => readModel(text))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.message).toContain('The file is damaged or was not written by featureboost.')
  })

  it('because its version is nested a million deep is refused', () => {
    const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    const error = rejectionOf(() => readModel(`{"format":"featureboost-model","version":${nested}}`))
    expect(error.code).toBe('FB_MODEL_VERSION')
    expect(error.message).toContain('format version an array.')
  })

  it('because it is huge is refused before it is parsed', () => {
    const error = rejectionOf(() => readModel(' '.repeat(MODEL_SIZE_LIMIT + 1)))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.message).toContain('268435457 characters are more than a model has')
  })
})

describe('the version', () => {
  it.each([4, 0, 1.5, '1', null, [1]])('%j is refused with what to do', async version => {
    const text = editModel((await fitSmall('groups')).toText(), contents => {
      contents.version = version
    })
    const error = rejectionOf(() => readModel(text))
    expect(error.code).toBe('FB_MODEL_VERSION')
    expect(error.message).toContain('Expected version 1, 2 or 3.')
    expect(error.message).toContain('update the library')
    expect(error.details.found).toEqual(version)
  })

  it('of the future is told apart before anything else is looked at', () => {
    const text = '{"format":"featureboost-model","version":7,"anything":{"new":true}}'
    expect(rejectionOf(() => readModel(text)).code).toBe('FB_MODEL_VERSION')
  })
})

describe('the hash', () => {
  it('is told, found and stated, when it does not fit', async () => {
    const model = await fitSmall('groups')
    const wrong = '0'.repeat(64)
    const error = rejectionOf(() => readModel(model.toText().replace(model.hash, wrong)))
    expect(error.code).toBe('FB_MODEL_HASH')
    expect(error.details.found).toBe(model.hash)
    expect(error.details.expected).toBe(`hash ${wrong}`)
  })

  it('does not depend on white space or on the order of keys', async () => {
    const model = await fitSmall('trees')
    const { certificate, ...rest } = JSON.parse(model.toText())
    const reordered = JSON.stringify({ certificate, ...rest }, null, 4)
    expect(readModel(reordered).hash).toBe(model.hash)
    expect(readModel(reordered).toText()).toBe(model.toText())
  })
})

describe('a number beyond doubles', () => {
  it('is refused', async () => {
    const text = (await fitSmall('groups')).toText()
    for (const digits of ['1e999', '-1e999']) {
      const error = rejectionOf(() => readModel(text.replace(/"epsilon":[^,]+/, `"epsilon":${digits}`)))
      expect(error.code).toBe('FB_MODEL_FORMAT')
      expect(error.details.path).toBe('certificate.claim.epsilon')
    }
  })
})

describe('a well-sealed file', () => {
  const texts = new Map<string, string>()
  beforeAll(async () => {
    for (const kind of SMALL_KINDS) texts.set(kind, (await fitSmall(kind)).toText())
  })
  const read = (kind: string, edit: Edit) =>
    readModel(editModel(texts.get(kind)!, edit), { functions: ROW_FUNCTIONS })

  it.each(REFUSED)('with %s is refused', (_, kind, edit, path, reason) => {
    const error = rejectionOf(() => read(kind, edit))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.details.path).toContain(path)
    expect(error.message).toContain(reason)
  })

  it('may hold out any share of the rows, with any seed, and start anywhere', () => {
    const readable = (edit: Edit) => expect(read('groups', edit).hash).toMatch(/^[0-9a-f]{64}$/)
    const refused = (edit: Edit, path: string) =>
      expect(rejectionOf(() => read('groups', edit)).details.path).toBe(path)
    const holdout = (fraction: number, seed: number) => (c: Parameters<Edit>[0]) => {
      c.roles.holdout = { fraction, seed }
    }
    for (const edit of [holdout(0, 0), holdout(1, 2 ** 32 - 1)]) readable(edit)
    refused(holdout(1.01, 0), 'roles.holdout.fraction')
    refused(holdout(-0.01, 0), 'roles.holdout.fraction')
    refused(holdout(0.5, -1), 'roles.holdout.seed')
    refused(holdout(0.5, 2 ** 32), 'roles.holdout.seed')
    const split = (fraction: number, seed: number) => (c: Parameters<Edit>[0]) => {
      c.certificate.rows.split = { kind: 'rows', fraction, seed }
    }
    for (const edit of [split(0, 0), split(1, 2 ** 32 - 1)]) readable(edit)
    refused(split(1.01, 0), 'certificate.rows.split.fraction')
    refused(split(0.5, 2 ** 32), 'certificate.rows.split.seed')
    for (const units of [0, ONE]) readable(c => (c.start = { kind: 'constant', units }))
    refused(c => (c.start = { kind: 'constant', units: -1 }), 'start.units')
    readable(c => (c.cellBudget = 0))
    readable(c => (c.certificate.rounds = 0))
    refused(c => (c.cellBudget = -1), 'cellBudget')
    readable(c => (c.certificate.claim.bins = 1))
    readable(c => (c.certificate.claim.bins = 10_000))
    refused(c => (c.certificate.claim.bins = 0), 'certificate.claim.bins')
    refused(c => (c.certificate.claim.bins = 10_001), 'certificate.claim.bins')
    readable(c => (c.roles.dropMissingLabels = true))
  })

  it('may have just as many trees as any fit grows', () => {
    const trees = (count: number) => (c: Parameters<Edit>[0]) => {
      c.updates = [{ trees: Array(count).fill(0) }, null, 7, { trees: 5 }]
    }
    expect(rejectionOf(() => read('groups', trees(250_000))).message).not.toContain('fit')
    expect(rejectionOf(() => read('groups', trees(250_001))).message).toContain('at most 250000 fit')
  })

  it('has options from version 3 on, and none where it was imported', () => {
    const refusal = (edit: Edit) => {
      const { code, details, message } = rejectionOf(() => read('groups', edit))
      expect(code).toBe('FB_MODEL_FORMAT')
      expect(details.path).toBeDefined()
      return message
    }
    const imported = { from: 'isotonic', sha256: 'x' }
    expect(refusal(c => delete c.options)).toContain('"options" is absent')
    expect(refusal(c => (c.version = 2))).toContain('version 2 has no options')
    expect(refusal(c => (c.imported = imported))).toContain('an imported model was not fitted')
    const unfitted = (c: Parameters<Edit>[0]) => {
      delete c.options
      c.imported = imported
    }
    expect(refusal(unfitted)).toContain('an imported model was held against no rows')
    const bare = (c: Parameters<Edit>[0]) => {
      unfitted(c)
      c.certificate.rows = { rowCount: 0, fitWeight: 0, fingerprint: '' }
    }
    expect(read('groups', bare).data.imported).toEqual(imported)
    for (const version of [1, 2])
      expect(
        refusal(c => {
          bare(c)
          c.version = version
        }),
      ).toContain(`version ${version} has no imported models`)
    expect(
      refusal(c => {
        bare(c)
        c.imported.from = 'elsewhere'
      }),
    ).toContain('expected mcgrad or isotonic or sigmoid')
  })

  it('has options that its method reads, as texts and numbers', () => {
    const refusal = (edit: (options: Record<string, unknown>) => void) =>
      rejectionOf(() => read('groups', c => edit(c.options))).message
    expect(refusal(o => delete o.method)).toContain('"method" is absent')
    expect(refusal(o => (o.threads = 2))).toContain('unknown key "threads"')
    expect(refusal(o => (o.bins = true))).toContain('expected a number or a text')
    expect(refusal(o => (o.bins = [3]))).toContain('expected a number or a text')
    expect(refusal(o => (o.bins = -3))).toContain('-3')
    const long = refusal(o => (o['k'.repeat(200)] = 1))
    expect(long).toContain(`"${'k'.repeat(80)}"`)
    expect(long).not.toContain('k'.repeat(81))
  })

  it('may declare groups by every kind of test', () => {
    const values = [null, 'a', true, 1.5]
    const groups = [
      ...values.map(is => ({ column: 'age', is })),
      { column: 'age', in: values },
      ...['atMost', 'below', 'atLeast', 'above'].map(test => ({ column: 'age', [test]: 20 })),
      [{ column: 'age', missing: true }],
    ]
    const model = read('groups', contents => {
      contents.auditors.groups = groups
    })
    expect(model.data.auditors).toEqual({ kind: 'groups', groups, pairs: false })
  })

  it('may split on the prediction, on cuts, on categories and on missing values', () => {
    const splits = [
      { kind: 'below', units: ONE / 2 },
      { kind: 'atMost', feature: 0, bin: 1, missing: true },
      { kind: 'in', feature: 1, bins: [0, 3] },
      { kind: 'missing', feature: 2 },
    ]
    const rows = [
      [{ score: 0.25 }, { score: 0.5 }],
      [
        { score: 0, age: 19 },
        { score: 0, age: 19.1 },
      ],
      [
        { score: 0, age: null },
        { score: 0, age: 30 },
      ],
      [
        { score: 0, region: 'east' },
        { score: 0, region: 'north' },
      ],
      [
        { score: 0, region: 'west' },
        { score: 0, region: 'south' },
      ],
      [{ score: 0 }, { score: 0, member: false }],
    ]
    const splitOf = [0, 1, 1, 2, 2, 3]
    rows.forEach(([yes, no], index) => {
      const model = read('groups', contents => {
        const tree = { split: splits[splitOf[index]], yes: { leaf: 1 }, no: { leaf: 0 } }
        contents.updates = [{ kind: 'table', tree, levels: 1, values: [0, ONE / 4] }]
      })
      expect(model.predictRow(yes as Row)).toBe((yes.score as number) + 0.25)
      expect(model.predictRow(no as Row)).toBe(no.score)
    })
  })
})
