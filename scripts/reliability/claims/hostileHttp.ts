import { serveStudio } from '../../../packages/cli/src/studio/server.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { attack, isServing, openSlowly, sendBody } from '../http.ts'
import { serveModel } from '../served.ts'

/** The page's server, and the one that predicts. */
interface Attacked {
  readonly name: string
  readonly url: string
  readonly close: () => Promise<void>
}

async function measure({ folder, say, size }: Run): Promise<Outcome> {
  const studio = await serveStudio(0)
  const served = await serveModel(folder, 'a token that nobody knows')
  const servers: readonly Attacked[] = [
    { name: 'studio', url: studio.url, close: () => studio.close() },
    { name: 'serve', url: served.url, close: () => served.close() },
  ]
  const problems: string[] = []
  const found: string[] = []
  try {
    for (const { name, url } of servers) {
      const slow = await openSlowly(url, 200)
      const answers = await attack(url, size, line => say(`${name}: ${line}`))
      problems.push(...answers.problems.map(problem => `${name}: ${problem}`))
      const body = await sendBody(url, 100 * 2 ** 20)
      if (body !== undefined && (body < 400 || body >= 500))
        problems.push(`${name}: a body of 100 MiB was answered with ${body}`)
      if (!(await isServing(name === 'serve' ? `${url}health` : url)))
        problems.push(`${name}: no longer serves`)
      slow.close()
      const statuses = Object.entries(answers.statuses)
        .sort()
        .map(([status, times]) => `${status}: ${times.toLocaleString('en-US')}`)
      found.push(`${name} ${statuses.join(', ')}`)
    }
  } finally {
    for (const server of servers) await server.close()
  }
  return {
    kept: problems.length === 0,
    figure: `${counted(size, 'fuzzed request')} to each, while 200 connections sent no more than half a header: ${found.join('; ')} (closed: no answer); ${counted(problems.length, 'anything else', 'anything else')}; a body of 100 MiB was refused; both went on serving.`,
    problems,
  }
}

export const hostileHttp: Claim = {
  id: 'R17',
  title: 'Hostile requests',
  promised:
    'The servers of `featureboost studio`, which gives one page to one machine, and of `featureboost serve`, which requires a token, answer fuzzed requests, other host names, other methods, bodies and half-open connections with a refusal or not at all: they give nothing to a client that does not know the address or the token, never a stack trace, and they go on serving.',
  anchor: 'Fastify publishes a threat model, and fuzzes its parsers.',
  by: { unit: 'requests to each server', short: 1000, long: 100_000, measure },
}
