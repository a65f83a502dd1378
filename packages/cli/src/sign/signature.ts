// Signatures of model files: Ed25519 over the bytes of the file, in a small JSON file beside it. A signature says who stands behind a
// file and that no byte has changed since; whether what the file says is true, `verify` tells.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { FeatureBoostError } from '@featureboost/core'

const FORMAT = 'featureboost-signature'
const VERSION = 1
const ALGORITHM = 'Ed25519'

export interface Signature {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly algorithm: typeof ALGORITHM
  /** The fingerprint of the public key. */
  readonly key: string
  /** Over the bytes of the model file, in base64. */
  readonly signature: string
}

/** Where the signature of a file is, unless it is elsewhere. */
export const signaturePath = (model: string): string => `${model}.sig`

/** SHA-256 of the public key in DER (SPKI), as 64 hexadecimal digits. */
export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const digest = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }))
  return `SHA256:${digest.digest('hex')}`
}

export const readPrivateKey = (pem: string, path: string): KeyObject =>
  readKey(() => createPrivateKey(pem), path, 'a private')

/** A private key is refused, although its public one could be had from it: it should not be where models are verified. */
export const readPublicKey = (pem: string, path: string): KeyObject =>
  readKey(() => (pem.includes('PRIVATE KEY') ? undefined : createPublicKey(pem)), path, 'a public')

function readKey(read: () => KeyObject | undefined, path: string, which: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read()
  } catch {
    // Said below.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new FeatureBoostError('FB_KEY', `not ${which} Ed25519 key in PEM.`, {
    path,
    expected: `${which} key as "featureboost keys --out NAME" writes it`,
  })
}

export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string {
  const signed: Signature = {
    format: FORMAT,
    version: VERSION,
    algorithm: ALGORITHM,
    key: fingerprintOf(privateKey),
    signature: sign(null, bytes, privateKey).toString('base64'),
  }
  return `${JSON.stringify(signed, null, 1)}\n`
}

/** Throws unless the signature is of this key and of these bytes; returns the fingerprint of the key. */
export function checkSignature(bytes: Uint8Array, text: string, publicKey: KeyObject, path: string): string {
  const { key, signature } = readSignature(text, path)
  const fingerprint = fingerprintOf(publicKey)
  if (key !== fingerprint)
    throw new FeatureBoostError('FB_SIGNATURE_KEY', `the model was signed with the key ${key}.`, {
      path,
      found: key,
      expected: `the key ${fingerprint}`,
      hint: 'Ask the signer for their public key, or for a file that is signed with yours.',
    })
  if (!verify(null, bytes, publicKey, Buffer.from(signature, 'base64')))
    throw new FeatureBoostError('FB_SIGNATURE_BYTES', 'the signature is not of this model file.', {
      path,
      found: signature,
      hint: 'The model file, or the signature, was changed after signing: get both again from the signer.',
    })
  return fingerprint
}

function readSignature(text: string, path: string): Signature {
  const found = parse(text, path)
  const keys: readonly (keyof Signature)[] = ['format', 'version', 'algorithm', 'key', 'signature']
  const isWhole =
    Object.keys(found).length === keys.length &&
    found.format === FORMAT &&
    found.version === VERSION &&
    found.algorithm === ALGORITHM &&
    typeof found.key === 'string' &&
    typeof found.signature === 'string'
  if (isWhole) return found as unknown as Signature
  throw malformed(path, `expected the keys ${keys.join(', ')} of format "${FORMAT}", version ${VERSION}`)
}

function parse(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw malformed(path, 'not a JSON object')
}

const malformed = (path: string, message: string): FeatureBoostError =>
  new FeatureBoostError('FB_SIGNATURE_FORMAT', `${message}.`, {
    path,
    hint: 'Sign the model again: featureboost sign MODEL --key PRIVATE.',
  })
