// featureboost keys and featureboost sign: a pair of keys, and the signature of a model file beside it.

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { FeatureBoostError, readModel } from '@featureboost/core'
import { readBytes, readText, replaceFile, textOf, writeTextFile } from '../files.ts'
import { checkOutputs, inputsOf } from '../outputs.ts'
import { fingerprintOf, readPrivateKey, readPublicKey, signaturePath, signBytes } from '../sign/signature.ts'
import { printJson, printPage } from './print.ts'

interface KeysOptions {
  readonly out: string
  readonly force: boolean
  readonly json: boolean
}

export async function runKeys({ force: overwrite, json, out }: KeysOptions): Promise<void> {
  const [privatePath, publicPath] = [`${out}.private.pem`, `${out}.public.pem`]
  checkOutputs([privatePath, publicPath].map(path => ({ flag: '--out', path, overwrite })))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const known = publicKey.export({ type: 'spki', format: 'pem' })
  // Both are written before one takes its place, so that what cannot be written replaces neither.
  await replaceFile(publicPath, async temporary => {
    await writeFile(temporary, known, { flush: true })
    await replaceFile(privatePath, other => writeFile(other, secret), { mode: 0o600 })
  })
  const key = fingerprintOf(publicKey)
  if (json) printJson({ key, privateKey: privatePath, publicKey: publicPath })
  else
    printPage([
      `${privatePath}: the private key, for featureboost sign. Whoever has it can sign in your name: keep it to yourself.\n${publicPath}: the public key, for featureboost verify --key. Give it to whoever verifies.\nKey ${key}`,
    ])
}

/** A new pair takes the place of an old one file by file: who is ended between the two has one of each. */
async function refuseOtherPair(privatePath: string, privateKey: KeyObject): Promise<void> {
  const publicPath = privatePath.replace(/\.private\.pem$/, '.public.pem')
  if (publicPath === privatePath || !existsSync(publicPath)) return
  const beside = fingerprintOf(readPublicKey(await readText(publicPath), publicPath))
  const own = fingerprintOf(privateKey)
  if (beside === own) return
  throw new FeatureBoostError('FB_KEY', 'the public key beside it is of another pair.', {
    path: privatePath,
    found: `${publicPath} with the key ${beside}`,
    expected: `the key ${own}`,
    hint: 'Was featureboost keys --force ended halfway? Run it again, or put the file back that belongs to this one.',
  })
}

interface SignOptions {
  readonly key: string
  readonly out?: string
  readonly force: boolean
  readonly json: boolean
}

export async function runSign(model: string, options: SignOptions): Promise<void> {
  const path = options.out ?? signaturePath(model)
  const output = { flag: '--out', path, overwrite: options.force }
  checkOutputs([output], inputsOf([model], options))
  const privateKey = readPrivateKey(await readText(options.key), options.key)
  await refuseOtherPair(options.key, privateKey)
  const bytes = await readBytes(model)
  // Nothing is signed that is no model, or does not match its own hash.
  const { hash } = readModel(textOf(bytes))
  await writeTextFile(path, signBytes(bytes, privateKey), { overwrite: options.force })
  const key = fingerprintOf(privateKey)
  if (options.json) printJson({ model, modelHash: hash, signature: path, key })
  else printPage([`${path}: the signature of ${model}, SHA-256 ${hash}.\nKey ${key}`])
}
