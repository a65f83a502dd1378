import { differing, hashAll } from '../bytes/cases.ts'
import {
  findFirefox,
  findNode,
  type Hashes,
  hashesInChromium,
  hashesInFirefox,
  hashesInNode,
} from '../bytes/runtimes.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

const SEEDS = 3
const VERSIONS = [20, 22, 24]
const PLACES: readonly NodeJS.ProcessEnv[] = [
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
  { TZ: 'America/St_Johns', LC_ALL: 'de_DE.UTF-8' },
]

async function measure({ say, size }: Run): Promise<Outcome> {
  const expected = await hashAll(size, SEEDS, { threads: 1 })
  const problems: string[] = []
  const same: string[] = []
  const absent: string[] = []
  const compare = async (name: string, found: () => Promise<Hashes>) => {
    say(name)
    try {
      const other = differing(expected, await found())
      if (other.length === 0) same.push(name)
      else problems.push(`${name}: ${other.length} differ, such as ${other[0]}`)
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message.slice(0, 300)}`)
    }
  }
  for (const version of VERSIONS) {
    const node = await findNode(version, reason => absent.push(reason))
    if (node !== undefined) await compare(`Node ${version}`, () => hashesInNode(node, size, SEEDS))
  }
  for (const env of PLACES)
    await compare(`TZ ${env.TZ}, ${env.LC_ALL}`, () => hashesInNode(process.execPath, size, SEEDS, env))
  await compare('Chromium', () => hashesInChromium(size, SEEDS))
  const firefox = await findFirefox()
  if (firefox === undefined) absent.push('Firefox: not on this machine')
  else await compare('Firefox', () => hashesInFirefox(firefox, size, SEEDS))
  const missing = absent.length === 0 ? '' : ` Not measured: ${absent.join('; ')}.`
  return {
    kept: problems.length === 0,
    figure: `${counted(Object.keys(expected).length, 'fit')} of ${counted(size, 'made-up table')}, all methods: the same hashes in ${same.join(', ')}${problems.length === 0 ? '' : `; not in ${counted(problems.length, 'other')}`}.${missing} arm64, WebKit, Deno and Bun are not measured: none was available.`,
    problems,
  }
}

export const runtimes: Claim = {
  id: 'R7',
  title: 'Runtimes',
  promised:
    'A model has the same bytes in Node 20, 22 and 24, in any locale and time zone, and in the workers of a page, in Chromium and Firefox.',
  anchor: 'LightGBM: results of different systems "are expected to be different" (#6683).',
  by: { unit: 'tables', long: 50, measure },
}
