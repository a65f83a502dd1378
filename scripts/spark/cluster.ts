// A real Spark on this machine: a standalone master, two workers and a Connect server, each a process of its own, all on loopback,
// behind a token; or a Connect server alone, with two threads. Processes are ended by their ids, and their files are removed.

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Daemon, freePort, startDaemon } from './daemon.ts'

export interface ClusterOptions {
  /** Where pyspark is installed. */
  readonly home: string
  /** One process with two threads, instead of a master and two workers. */
  readonly local?: boolean
  /** Settings of the Connect server, besides those below. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Cluster {
  /** For a client: sc://127.0.0.1:port/;token=... */
  readonly address: string
  readonly port: number
  readonly token: string
  /** A folder that the server and its workers can write. */
  readonly folder: string
  /** Of the processes that run now. */
  processIds(): number[]
  /** Ends a worker, and with it its executor, without warning. */
  killWorker(index: number): Promise<void>
  startWorker(index: number): Promise<void>
  /** Ends the Connect server without warning. */
  killServer(): Promise<void>
  /** Starts it again, at the same port. */
  startServer(): Promise<void>
  stop(): Promise<void>
}

export async function startCluster({ home, local = false, settings = {} }: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-spark-'))
  const [token, secret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const [masterPort, port] = [await freePort(), await freePort()]
  const master = local ? 'local[2]' : `spark://127.0.0.1:${masterPort}`
  writeConfiguration(folder, secret)
  const environment = {
    SPARK_HOME: home,
    SPARK_CONF_DIR: join(folder, 'conf'),
    SPARK_LOCAL_IP: '127.0.0.1',
    SPARK_LOCAL_HOSTNAME: '127.0.0.1',
  }
  const daemons = new Map<string, Daemon>()
  const start = async (name: string, command: string, parameters: readonly string[], ready: string) => {
    const isServer = name === 'connect'
    daemons.set(
      name,
      await startDaemon({
        name,
        command: join(home, 'bin', command),
        parameters,
        ready,
        folder,
        // The Connect server would take this for its own memory.
        environment: { ...environment, ...(isServer ? { [TOKEN]: token } : { SPARK_DAEMON_MEMORY: '256m' }) },
      }),
    )
  }
  const startWorker = (index: number) =>
    start(
      `worker${index}`,
      'spark-class',
      workerParameters(folder, index, master),
      'Successfully registered with master',
    )
  const startServer = () =>
    start(
      'connect',
      'spark-submit',
      serverParameters(folder, master, port, settings),
      'Connect server started at',
    )
  const stop = async () => {
    // The server first, so that it lets its executors go.
    for (const name of ['connect', 'worker0', 'worker1', 'master']) await daemons.get(name)?.end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (!local) {
      await start('master', 'spark-class', masterParameters(masterPort), 'New state: ALIVE')
      await Promise.all([startWorker(0), startWorker(1)])
    }
    await startServer()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    address: `sc://127.0.0.1:${port}/;token=${token}`,
    port,
    token,
    folder,
    processIds: () => [...daemons.values()].filter(daemon => daemon.isRunning()).map(({ pid }) => pid),
    killWorker: async index => daemons.get(`worker${index}`)?.kill(),
    startWorker,
    killServer: async () => daemons.get('connect')?.kill(),
    startServer,
    stop,
  }
}

const TOKEN = 'SPARK_CONNECT_AUTHENTICATE_TOKEN'

/** No page, no port for jobs of strangers, and a secret between the processes. */
function writeConfiguration(folder: string, secret: string): void {
  mkdirSync(join(folder, 'conf'))
  const lines = {
    'spark.master.rest.enabled': 'false',
    'spark.ui.enabled': 'false',
    'spark.authenticate': 'true',
    'spark.authenticate.secret': secret,
    'spark.local.dir': join(folder, 'local'),
  }
  writeFileSync(
    join(folder, 'conf', 'spark-defaults.conf'),
    Object.entries(lines)
      .map(([key, value]) => `${key} ${value}\n`)
      .join(''),
    { mode: 0o600 },
  )
}

const masterParameters = (port: number): string[] => [
  'org.apache.spark.deploy.master.Master',
  ...['--host', '127.0.0.1', '--port', String(port), '--webui-port', '0'],
]

const workerParameters = (folder: string, index: number, master: string): string[] => [
  'org.apache.spark.deploy.worker.Worker',
  ...['--host', '127.0.0.1', '--port', '0', '--webui-port', '0', '--cores', '1', '--memory', '1536m'],
  ...['--work-dir', join(folder, `worker${index}`), master],
]

function serverParameters(
  folder: string,
  master: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): string[] {
  const all = {
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': String(port),
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.sql.shuffle.partitions': '2',
    ...settings,
  }
  return [
    ...['--master', master, '--name', 'featureboost-tests'],
    ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer'],
    ...['--driver-memory', '1536m', '--executor-memory', '1g', '--executor-cores', '1'],
    ...Object.entries(all).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
  ]
}
