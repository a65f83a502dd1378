// featureboost keys and featureboost sign: a pair of keys, and the signature of a model file beside it.

import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { readModel } from '@featureboost/core'
import { readBytes, readText, replaceFile, textOf, writeTextFile } from '../files.ts'
import { checkOutputs, inputsOf } from '../outputs.ts'
import { fingerprintOf, readPrivateKey, signaturePath, signBytes } from '../sign/signature.ts'
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
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await replaceFile(privatePath, temporary => writeFile(temporary, pem), { mode: 0o600 })
  await writeTextFile(publicPath, String(publicKey.export({ type: 'spki', format: 'pem' })), { overwrite })
  const key = fingerprintOf(publicKey)
  if (json) printJson({ key, privateKey: privatePath, publicKey: publicPath })
  else
    printPage([
      `${privatePath}: the private key, for featureboost sign. Whoever has it can sign in your name: keep it to yourself.\n${publicPath}: the public key, for featureboost verify --key. Give it to whoever verifies.\nKey ${key}`,
    ])
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
  const bytes = await readBytes(model)
  // Nothing is signed that is no model, or does not match its own hash.
  const { hash } = readModel(textOf(bytes))
  await writeTextFile(path, signBytes(bytes, privateKey), { overwrite: options.force })
  const key = fingerprintOf(privateKey)
  if (options.json) printJson({ model, modelHash: hash, signature: path, key })
  else printPage([`${path}: the signature of ${model}, SHA-256 ${hash}.\nKey ${key}`])
}
