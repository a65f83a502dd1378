import { serveStudio } from '../../../packages/cli/src/studio/server.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { attack, isServing, openSlowly, sendBody } from '../http.ts'

async function measure({ say, size }: Run): Promise<Outcome> {
  const server = await serveStudio(0)
  try {
    const slow = await openSlowly(server.url, 200)
    const found = await attack(server.url, size, say)
    const body = await sendBody(server.url, 100 * 2 ** 20)
    const problems = [...found.problems]
    if (body !== undefined && body !== 405) problems.push(`a body of 100 MiB was answered with ${body}`)
    if (!(await isServing(server.url))) problems.push('the page is no longer served')
    slow.close()
    const statuses = Object.entries(found.statuses)
      .sort()
      .map(([status, times]) => `${status}: ${times.toLocaleString('en-US')}`)
    return {
      kept: problems.length === 0,
      figure: `${counted(size, 'fuzzed request')} while 200 connections sent nothing more than half a header: answers ${statuses.join(', ')} (closed: a connection without an answer); ${counted(problems.length, 'anything else', 'anything else')}; a body of 100 MiB was not taken; the page was served at the end.`,
      problems,
    }
  } finally {
    await server.close()
  }
}

export const hostileHttp: Claim = {
  id: 'R17',
  title: 'Hostile requests',
  promised:
    'The server of `featureboost studio`, which gives one page to one machine, answers fuzzed requests, other names, other methods, bodies and half-open connections with a refusal or not at all: never with the page to who does not know its address, never with a trace of the program, and it goes on serving.',
  anchor: 'Fastify publishes a threat model, and fuzzes its parsers.',
  by: { unit: 'requests', short: 1000, long: 100_000, measure },
}
