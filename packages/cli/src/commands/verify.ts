// featureboost verify: a model file held against rows, expectations, a repeated fit and a key. Code 4 where any of them says no.

import { existsSync } from 'node:fs'
import {
  FeatureBoostError,
  type MakeEngine,
  type Model,
  readModel,
  type Verification,
  verify,
} from '@featureboost/core'
import { modelRowRoles } from '@featureboost/core/internal'
import { readBytes, readText, textOf } from '../files.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { checkSignature, readPublicKey, signaturePath } from '../sign/signature.ts'
import { layoutVerification } from '../terminal/verification.ts'
import { stdoutView } from '../terminal/view.ts'
import { type EngineOptions, withEngine } from './engine.ts'
import { readExpectations } from './expectations.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { columnsToVerify } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { type ReadRows, runSession, withRows } from './session.ts'
import { isOnSpark, type SparkOptions, withSparkRows } from './spark.ts'
import { EXPLAINED, explainOnSpark } from './sparkExplain.ts'

interface VerifyOptions extends SparkOptions, EngineOptions {
  readonly model: string
  readonly expect?: readonly string[]
  readonly refit: boolean
  readonly key?: string
  readonly signature?: string
  readonly threads?: number
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runVerify(paths: readonly string[], options: VerifyOptions): Promise<void> {
  const { refit, threads } = options
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  const expect = await readExpectations(options.expect ?? [])
  const { key, model } = await readSigned(options)
  await runSession(options, async session => {
    const { progress, signal } = session
    const reading = columnsToVerify(model)
    const ask = (rows: Parameters<typeof verify>[1], engine?: MakeEngine) => {
      progress.phase('verifying')
      return verify(model, rows, {
        ...{ expect, refit, signal, onPhase: () => progress.phase('refitting') },
        ...(engine !== undefined && { engine }),
        ...(threads !== undefined && { threads }),
      })
    }
    const tell = (found: Verification, data: ReadRows) => {
      const seconds = progress.seconds()
      if (options.json) {
        printJson({
          rows: data.rowCount,
          ...leftOutJson(data, reading),
          ...documentOf(found),
          ...(key !== undefined && { key }),
          modelHash: model.hash,
          seconds,
        })
      } else {
        const view = stdoutView(options)
        const asked = { expected: Object.keys(expect).length, key }
        printPage([...layoutVerification(found, asked, view), ...leftOutLines(data, reading, view)])
      }
      if (!found.matches) process.exitCode = 4
    }
    if (isOnSpark(options) && options.explain) {
      const { holdout, ...roles } = modelRowRoles(model)
      const asked = { roles, ...(holdout !== undefined && { holdout }) }
      return await explainOnSpark(session, paths, options, reading, asked, EXPLAINED.verify)
    }
    if (isOnSpark(options)) {
      const found = await withSparkRows(session, paths, options, reading, ({ store }) => ask(store))
      return tell(found, { rowCount: found.certificate.rows.rowCount, leftOut: 0 })
    }
    await withRows(session, paths, options, reading, async data => {
      const found = await withEngine(session, data, options, (engine, rows) => ask(rows, engine))
      tell(found, data)
    })
  })
}

const documentOf = ({ certificate, ...found }: Verification) => ({
  matches: found.matches,
  holds: certificate.holds,
  ...(found.newRows !== undefined && { newRows: found.newRows }),
  differences: found.differences,
  shortfalls: found.shortfalls,
  ...(found.refit !== undefined && { refit: found.refit }),
  certificate,
})

/** The model, from the bytes that the signature was checked against. */
async function readSigned({
  key,
  model: path,
  signature = signaturePath(path),
}: VerifyOptions): Promise<{ model: Model; key?: string }> {
  const bytes = await readBytes(path)
  if (key === undefined) return { model: readModel(textOf(bytes)) }
  const publicKey = readPublicKey(await readText(key), key)
  if (!existsSync(signature))
    throw new FeatureBoostError('FB_SIGNATURE_MISSING', 'there is no signature of this model.', {
      path: signature,
      expected: 'the signature of the model file, with --key',
      hint: 'Name it with --signature, or have the model signed: featureboost sign MODEL --key PRIVATE.',
    })
  const fingerprint = checkSignature(bytes, await readText(signature), publicKey, signature)
  return { model: readModel(textOf(bytes)), key: fingerprint }
}
