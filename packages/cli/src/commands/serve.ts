// featureboost serve: corrected scores over HTTP until SIGINT or SIGTERM. SIGHUP reads the model files again.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { VERSION } from '@featureboost/core'
import { CommandError } from '../errors.ts'
import { readText } from '../files.ts'
import { type Events, ServeLog } from '../serve/log.ts'
import { LIMITS } from '../serve/options.ts'
import { Recorder } from '../serve/record.ts'
import { PredictionServer } from '../serve/server.ts'
import { namedModels, Shelf } from '../serve/shelf.ts'

interface RunServeOptions {
  readonly model: readonly string[]
  readonly host: string
  readonly port: number
  readonly tokenFile?: string
  /** --no-token */
  readonly token: boolean
  readonly rounded?: number | true
  readonly bodyLimit?: number
  readonly rowLimit?: number
  readonly queue?: number
  readonly record?: string
  readonly watch: boolean
  readonly log: Events
}

export async function runServe(options: RunServeOptions): Promise<void> {
  const { host, log: events, port, record, rounded, watch } = options
  const token = await tokenOf(options)
  const log = new ServeLog(events, line => process.stderr.write(line))
  const shelf = await Shelf.open(namedModels(options.model), {
    rounded,
    onReload(name, error) {
      server.metrics.add('reloads_total', { model: name, result: error === undefined ? 'read' : 'refused' })
      if (error === undefined) log.tell('model read', { model: name, hash: shelf.find(name)!.model.hash })
      else log.trouble('model refused, the one before serves on', error, { model: name })
    },
  })
  const recorder =
    record === undefined
      ? undefined
      : new Recorder(record, error => log.trouble('rows are no longer recorded', error))
  const server = new PredictionServer(shelf, {
    ...{ host, port, recorder, token, onAnswer: log.onAnswer },
    limits: {
      bodyBytes: options.bodyLimit ?? LIMITS.bodyBytes,
      rows: options.rowLimit ?? LIMITS.rows,
      queue: options.queue ?? LIMITS.queue,
    },
  })
  await server.listen()
  if (watch) shelf.watch()
  const reload = () => void shelf.reload()
  process.on('SIGHUP', reload)
  process.stdout.write(`${server.url}\n`)
  if (token !== undefined && options.tokenFile === undefined && process.env[VARIABLE] === undefined)
    process.stderr.write(`Clients send the header "Authorization: Bearer ${token}".\n`)
  if (!options.token && !LOOPBACK.has(host))
    process.stderr.write(`Everybody who can reach ${host} can ask: no token is needed.\n`)
  for (const { model, name } of shelf.all)
    log.tell('serving', { model: name, hash: model.hash, version: VERSION })
  const [signal] = await Promise.race(
    (['SIGINT', 'SIGTERM'] as const).map(async name => {
      await once(process, name)
      return [name]
    }),
  )
  log.tell('ending', { signal })
  process.off('SIGHUP', reload)
  shelf.close()
  await server.close()
  await recorder?.close()
  if (recorder !== undefined && recorder.leftOut > 0)
    log.tell('rows not recorded', { rows: recorder.leftOut })
  log.tell('ended')
}

const VARIABLE = 'FEATUREBOOST_TOKEN'
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1'])

/** Of a file, of the environment, or a new one. */
async function tokenOf({ token, tokenFile }: RunServeOptions): Promise<string | undefined> {
  if (!token) {
    if (tokenFile !== undefined)
      throw new CommandError(2, '--token-file and --no-token contradict each other.')
    return undefined
  }
  const given = tokenFile === undefined ? process.env[VARIABLE] : (await readText(tokenFile)).trim()
  if (given === undefined) return randomBytes(24).toString('base64url')
  // What a header can carry.
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new CommandError(
    2,
    `The token ${tokenFile === undefined ? `of ${VARIABLE}` : `in ${tokenFile}`} is shorter than 16 letters, or has spaces or letters outside of ASCII.`,
  )
}
