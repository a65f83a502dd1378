// The worker's side of the conversation.

import { FeatureBoostError } from '@featureboost/core'
import { DataProblem } from '../data/problem.ts'
import type { Failure, FromWorker, ToWorker } from './protocol.ts'
import { Session } from './session.ts'

const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void
  onmessage: ((event: { data: ToWorker }) => void) | null
}

const session = new Session()

scope.onmessage = async ({ data }) => {
  if ('stop' in data) return session.stop(data.stop)
  const { id, request } = data
  try {
    const answer = await session.answer(request, news => scope.postMessage({ id, news }))
    scope.postMessage({ id, answer })
  } catch (error) {
    scope.postMessage({ id, failure: failureOf(error) })
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof DataProblem)
    return { code: 'DATA', message: error.message, ...(error.asks !== undefined && { asks: error.asks }) }
  if (!(error instanceof FeatureBoostError))
    return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  const { code, details, message } = error
  return { code, message, ...(details.column !== undefined && { column: details.column }) }
}
