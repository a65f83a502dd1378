// verify with expectations, a repeated fit and a key; keys and sign; show, which has no rows: as processes.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { forge } from './forge.ts'
import { at, FIT, openLoans, put, run } from './loans.ts'

openLoans()

const VERIFY = ['verify', 'loans.csv', '--model', 'loans.fb.json', '--quiet']
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')
const genuine = () => readFileSync(at('loans.fb.json'), 'utf8')

describe('featureboost verify', () => {
  it('gives the word of the file for new rows, until the fit was repeated', () => {
    const claimed = run(...VERIFY)
    expect(claimed.status).toBe(0)
    expect(unwrapped(claimed.stdout)).toMatch(
      /^Verified\. .* and, as the file claims, at most 0\.\d+ on new rows \(with 95 % confidence\)\./,
    )
    expect(claimed.stdout).toContain('--refit')
    expect(JSON.parse(run(...VERIFY, '--json').stdout)).toMatchObject({
      matches: true,
      newRows: 'claimed',
      shortfalls: [],
    })
    const refitted = run(...VERIFY, '--refit')
    expect(refitted.status).toBe(0)
    expect(unwrapped(refitted.stdout)).toContain('The fit was repeated and gave this file, byte for byte.')
    expect(unwrapped(refitted.stdout)).toMatch(/and at most [\d.]+ on new rows/)
    expect(refitted.stdout).not.toContain('file claims')
    const { hash, ...json } = JSON.parse(run(...VERIFY, '--refit', '--json').stdout).refit
    expect(json).toEqual({ matches: true, differences: [] })
    expect(genuine()).toContain(hash)
  })

  it('tells a file that was changed after its fit', () => {
    run(...FIT, '--method', 'isotonic', '--no-audit', '--out', 'isotonic.fb.json')
    const forged = forge(readFileSync(at('isotonic.fb.json'), 'utf8'), ({ options }) => {
      options.method = 'platt'
    })
    put('forged.fb.json', forged)
    const args = ['verify', 'loans.csv', '--model', 'forged.fb.json', '--quiet']
    expect(run(...args).status).toBe(0)
    const { status, stdout } = run(...args, '--refit')
    expect(status).toBe(4)
    expect(unwrapped(stdout)).toMatch(
      /^Not verified\. .* The fit was repeated and gave another file: \d+ values? differ/,
    )
    expect(unwrapped(stdout)).toContain('and, as the file claims, at most ')
    expect(stdout).toContain('updates[0].kind')
  })

  it('tells a rounding, a cut and a claim that do not follow from the rows, each by its path', () => {
    const forged = forge(genuine(), ({ certificate, encoding, roundings }) => {
      roundings[1].values[0] += 1
      encoding.features[0].range[1] += 1
      certificate.claim.budget = 2
    })
    put('forged.fb.json', forged)
    const { status, stdout } = run('verify', 'loans.csv', '--model', 'forged.fb.json', '--json', '--quiet')
    expect(status).toBe(4)
    const paths = JSON.parse(stdout).differences.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'roundings[1].values[0]',
        'encoding.features[0].range[1]',
        'certificate.claim.budget',
      ]),
    )
  })

  it('holds the claim against what is expected, one line for each that is less', () => {
    expect(run(...VERIFY, '--expect', 'epsilon=0.2,guarantee=multicalibration,holdout=0.1').status).toBe(0)
    const { status, stdout } = run(
      ...VERIFY,
      '--expect',
      'epsilon=0.05,confidence=0.99',
      '--expect',
      'features=age,income',
    )
    expect(status).toBe(4)
    expect(stdout).toContain('- epsilon: the file says 0.2, and at most 0.05 was expected.')
    expect(stdout).toContain('- confidence: the file says 0.95, and at least 0.99 was expected.')
    expect(unwrapped(stdout)).toContain('1 of 3 facts are as they should be')
    const words = JSON.parse(genuine()).certificate.auditors
    expect(run(...VERIFY, '--expect', `label=defaulted,class="${words}",depth=2`).status).toBe(0)
    const larger = words.replace(/on \d+ columns/, 'on 50 columns')
    expect(run(...VERIFY, '--expect', `class=${larger},depth=2`).stdout).toMatch(
      /- class\.columns: the file says \d, and at least 50/,
    )
  })

  it('takes expectations from a file, and says which there are', () => {
    put('expect.json', JSON.stringify({ epsilon: 0.2, features: ['age', 'height'] }))
    const found = JSON.parse(run(...VERIFY, '--expect', '@expect.json', '--json').stdout)
    expect(found.shortfalls).toMatchObject([{ key: 'features', expected: ['age', 'height'] }])
    expect(found.matches).toBe(false)
    put('list.json', '[1]')
    for (const [given, code, words] of [
      ['epsilom=0.05', 'FB_OPTION_UNKNOWN', 'guarantee, epsilon, holds, class'],
      ['epsilon=low', 'FB_OPTION_VALUE', 'a number'],
      ['epsilon', 'FB_OPTION_VALUE', 'pairs such as epsilon=0.05'],
      ['@list.json', 'FB_OPTION_VALUE', 'not a JSON object'],
    ]) {
      const { status, stderr } = run(...VERIFY, '--expect', given)
      expect([status, stderr]).toEqual([2, expect.stringContaining(code)])
      expect(stderr).toContain(words)
    }
    expect(run(...VERIFY, '--expect', '@nowhere.json').status).toBe(3)
  })

  it('refuses a file of version 2, whose fit cannot be repeated', () => {
    const old = forge(genuine(), contents => {
      contents.version = 2
      delete contents.options
      delete contents.certificate.heldOut
    })
    put('old.fb.json', old)
    const { status, stderr } = run('verify', 'loans.csv', '--model', 'old.fb.json', '--refit', '--quiet')
    expect([status, stderr]).toEqual([3, expect.stringContaining('FB_MODEL_VERSION')])
    expect(stderr).toContain('cannot be repeated: fit again')
  })
})

describe('featureboost keys and sign', () => {
  const signed = [...VERIFY, '--key', 'bank.public.pem']

  it('make a pair of keys, the private one for its owner alone, and sign with it', () => {
    const keys = run('keys', '--out', 'bank', '--json')
    const { key } = JSON.parse(keys.stdout)
    expect(key).toMatch(/^SHA256:[0-9a-f]{64}$/)
    if (process.platform !== 'win32') expect(statSync(at('bank.private.pem')).mode & 0o777).toBe(0o600)
    expect(run('keys', '--out', 'bank').status).toBe(2)
    expect(run(...signed)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('FB_SIGNATURE_MISSING'),
    })
    expect(run('sign', 'loans.fb.json', '--key', 'bank.private.pem').stdout).toContain('loans.fb.json.sig')
    expect(JSON.parse(readFileSync(at('loans.fb.json.sig'), 'utf8'))).toEqual({
      ...{ format: 'featureboost-signature', version: 1, algorithm: 'Ed25519', key },
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
    })
    expect(JSON.parse(run(...signed, '--json').stdout)).toMatchObject({ matches: true, key })
    expect(unwrapped(run(...signed).stdout)).toContain(`It is signed with the key ${key}.`)
    expect(run('sign', 'loans.fb.json', '--key', 'bank.private.pem').status).toBe(2)
  })

  it('sign nothing with one key of an old pair and one of a new', () => {
    for (const name of ['old', 'new']) expect(run('keys', '--out', name).status).toBe(0)
    writeFileSync(at('new.public.pem'), readFileSync(at('old.public.pem')))
    const told = run('sign', 'loans.fb.json', '--key', 'new.private.pem', '--out', 'mixed.sig')
    expect(told).toMatchObject({ status: 3, stderr: expect.stringMatching(/^FB_KEY new\.private\.pem/) })
    expect(existsSync(at('mixed.sig'))).toBe(false)
  })

  it('refuse another key, other bytes, and what is no key or no signature', () => {
    run('keys', '--out', 'other')
    const other = run(...VERIFY, '--key', 'other.public.pem')
    expect(other).toMatchObject({ status: 4, stderr: expect.stringContaining('FB_SIGNATURE_KEY') })
    writeFileSync(at('spaced.fb.json'), `${genuine()} `)
    const spaced = ['verify', 'loans.csv', '--model', 'spaced.fb.json', '--key', 'bank.public.pem', '--quiet']
    const bytes = run(...spaced, '--signature', 'loans.fb.json.sig')
    expect(bytes).toMatchObject({ status: 4, stderr: expect.stringContaining('FB_SIGNATURE_BYTES') })
    const sig = JSON.parse(readFileSync(at('loans.fb.json.sig'), 'utf8'))
    for (const broken of [
      'nonsense',
      '[]',
      '{}',
      JSON.stringify({ ...sig, version: 2 }),
      JSON.stringify({ ...sig, more: 1 }),
    ]) {
      put('broken.sig', broken)
      const { status, stderr } = run(...signed, '--signature', 'broken.sig')
      expect([status, stderr]).toEqual([4, expect.stringContaining('FB_SIGNATURE_FORMAT')])
    }
    // Somebody else's signature under the fingerprint of the bank.
    run('sign', 'loans.fb.json', '--key', 'other.private.pem', '--out', 'forged.sig')
    const others = JSON.parse(readFileSync(at('forged.sig'), 'utf8'))
    put('forged.sig', JSON.stringify({ ...others, key: sig.key }))
    expect(run(...signed, '--signature', 'forged.sig').stderr).toContain('FB_SIGNATURE_BYTES')
    expect(run(...VERIFY, '--key', 'bank.private.pem')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('FB_KEY'),
    })
    expect(run(...VERIFY, '--key', 'loans.csv').stderr).toContain('not a public Ed25519 key')
    const wrong = run('sign', 'loans.fb.json', '--key', 'bank.public.pem', '--force')
    expect(wrong).toMatchObject({ status: 3, stderr: expect.stringContaining('not a private Ed25519 key') })
    expect(run('sign', 'loans.csv', '--key', 'bank.private.pem').stderr).toContain('FB_MODEL_FORMAT')
  })
})

describe('featureboost show', () => {
  it('says beside every claim that it is not verified', () => {
    const { stdout } = run('show', 'loans.fb.json')
    const text = unwrapped(stdout)
    expect(text).toMatch(/Verdict \(not verified\): Proven: /)
    expect(text).toContain('and, as the file claims, at most ')
    const { caveats, measured, proven } = JSON.parse(genuine()).certificate
    for (const sentence of [...proven, ...measured, ...caveats])
      expect(text).toContain(`${unwrapped(sentence)} (not verified)`)
    expect(JSON.parse(run('show', 'loans.fb.json', '--json').stdout).verified).toBe(false)
  })

  it('refuses bounds that contradict what was measured, with both numbers', () => {
    put(
      'wrong.fb.json',
      forge(genuine(), ({ certificate }) => {
        certificate.rungs[1].bound = 0.0001
      }),
    )
    for (const flags of [[], ['--json']]) {
      const { status, stderr, stdout } = run('show', 'wrong.fb.json', ...flags)
      expect([status, stdout]).toEqual([4, ''])
      expect(stderr).toMatch(
        /^FB_MODEL_CONTRADICTION certificate\.rungs\[1\]\.bound: the bound 0\.0001 of the multicalibration error is smaller than the error 0\.\d+ that was measured/,
      )
    }
  })
})
