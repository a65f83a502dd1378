// Runs the steps of deploy/Dockerfile one by one, in folders that stand for those of the image, since an engine that builds images is
// not to be had everywhere; then starts what the image would start, and asks it for a prediction.
//
//   npx tsx scripts/check-deploy.ts

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'featureboost-deploy-'))
const token = 'a-token-for-this-check'

/** A folder of the image, here. */
const inside = (path: string) => join(home, path)

function shell(command: string, cwd: string): void {
  const { status, stderr, stdout } = spawnSync('bash', ['-euc', command], {
    cwd,
    encoding: 'utf8',
    timeout: 600_000,
    env: { ...process.env, npm_config_loglevel: 'error' },
  })
  if (status !== 0)
    throw new Error(`${command}\nends with ${status}:\n${stdout.slice(-3000)}${stderr.slice(-3000)}`)
}

/** Commands of the file, in order; the folders that they name are ours. */
function runSteps(): string[] {
  let folder = home
  let entry: string[] = []
  for (const line of readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').split('\n')) {
    const [, word, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'WORKDIR') {
      folder = inside(rest)
      mkdirSync(folder, { recursive: true })
    }
    if (word === 'COPY' && rest === '. .') shell(`git -C '${ROOT}' archive HEAD | tar -x`, folder)
    if (word === 'RUN') {
      mkdirSync(inside('packages'), { recursive: true })
      shell(rest.replaceAll(' /packages', ` ${inside('packages')}`), folder)
      console.log(`ran: ${rest}`)
    }
    if (word === 'ENTRYPOINT') entry = JSON.parse(rest)
  }
  return entry.map(each => each.replace(/^\/app/, inside('app')).replace('0.0.0.0', '127.0.0.1'))
}

async function askFor(entry: readonly string[]): Promise<void> {
  const models = inside('models')
  mkdirSync(models)
  copyFileSync(join(ROOT, 'packages/core/test/model/zoo/3/platt.fb.json'), join(models, 'loans.fb.json'))
  const [program, ...args] = [...entry, '--model', join(models, 'loans.fb.json'), '--port', '0']
  const child = spawn(program, args, {
    cwd: inside('app'),
    env: { ...process.env, FEATUREBOOST_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    const [address] = (await once(child.stdout, 'data')) as [Buffer]
    const { columns } = (
      (await (await ask(`${String(address).trim()}/models`)).json()) as { columns: string[] }[]
    )[0]
    const row = Object.fromEntries(columns.map(column => [column, column === 'score' ? 0.4 : null]))
    const answer = await ask(`${String(address).trim()}/predict`, JSON.stringify(row))
    if (answer.status !== 200) throw new Error(`answers with ${answer.status}: ${await answer.text()}`)
    console.log(`answers: ${await answer.text()}`)
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`ends with ${code}`)
}

const ask = (url: string, body?: string) =>
  fetch(url, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  })

try {
  await askFor(runSteps())
} finally {
  rmSync(home, { recursive: true, force: true })
}
