// A PostgreSQL server of our own: in a temporary folder, reached through a socket in it, run by a user without privileges, and ended by
// its id.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../../packages/core/src/index.ts'
import { columnTypes, type Database } from '../../packages/core/test/export/rows.ts'

export interface Postgres {
  /** Predictions of the table "data" in units, by a SELECT that was exported. */
  score(database: Database, model: Model, select: string): Promise<number[]>
  stop(): Promise<void>
}

/** Where Debian has the programs of the server. */
function programs(): string {
  const root = '/usr/lib/postgresql'
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return join(root, newest, 'bin')
}

/** The server refuses to run as root; Debian's package brings a user for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-postgres-'))
  const user = serverUser()
  chmodSync(folder, 0o755)
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  const data = join(folder, 'data')
  execFileSync(
    join(programs(), 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, stdio: 'ignore', cwd: folder },
  )
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'jit=off']
  const server = spawn(
    join(programs(), 'postgres'),
    ['-D', data, ...settings.flatMap(setting => ['-c', setting])],
    { ...user, stdio: 'ignore', cwd: folder },
  )
  const ask = (file: string, isQuiet: boolean) =>
    execFileSync(
      join(programs(), 'psql'),
      [
        '-h',
        folder,
        '-U',
        'tester',
        '-d',
        'postgres',
        '-X',
        '-q',
        '-At',
        '-v',
        'ON_ERROR_STOP=1',
        '-f',
        file,
      ],
      { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', isQuiet ? 'ignore' : 'inherit'] },
    )
  const script = (text: string, isQuiet = false) => {
    const file = join(folder, 'script.sql')
    writeFileSync(file, text)
    return ask(file, isQuiet)
  }
  await ready(() => script('SELECT 1;', true))
  return {
    async score(database, model, select) {
      const shared = join(folder, 'rows')
      mkdirSync(shared, { recursive: true })
      const csv = join(shared, 'rows.csv')
      await database.connection.run(`COPY data TO '${csv}' (FORMAT csv, HEADER false, NULLSTR '\\N')`)
      const names = columnTypes(model).map(
        ([name, type]) => `"${name.replaceAll('"', '""')}" ${type === 'DOUBLE' ? 'DOUBLE PRECISION' : type}`,
      )
      const answer = script(
        [
          'SET client_min_messages = warning;',
          'DROP TABLE IF EXISTS data CASCADE;',
          `CREATE TABLE data (${names.join(', ')});`,
          `\\copy data FROM '${csv}' WITH (FORMAT csv, NULL '\\N')`,
          `CREATE VIEW scored AS\n${select}`,
          'SELECT corrected * 16777216 FROM scored ORDER BY id;',
        ].join('\n'),
      )
      return answer.trim().split('\n').map(Number)
    },
    async stop() {
      // Fast shutdown: clients are cut off, nothing is waited for.
      server.kill('SIGINT')
      if (server.exitCode === null) await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ready(ask: () => unknown): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      ask()
      return
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}
