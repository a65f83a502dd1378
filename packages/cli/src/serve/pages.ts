// What can be read of the server: its models, its counts and times, and how it is asked.

import { describeModel, docsPage, openApi } from './describe.ts'
import type { Metrics } from './metrics.ts'
import type { Served } from './shelf.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

interface Page {
  readonly type: string
  readonly body: string
}

/** What pages are made from. */
export interface Look {
  readonly models: readonly Served[]
  readonly metrics: Metrics
  readonly hasToken: boolean
  readonly url: string
}

export const PAGES: Readonly<Record<string, (look: Look) => Page>> = {
  '/models': ({ models }) => ({ type: JSON_TYPE, body: JSON.stringify(models.map(describeModel)) }),
  '/metrics': ({ metrics }) => ({
    type: 'text/plain; version=0.0.4; charset=utf-8',
    body: metrics.toText(),
  }),
  '/openapi.json': ({ models, hasToken }) => ({
    type: JSON_TYPE,
    body: JSON.stringify(openApi(models, { hasToken })),
  }),
  '/docs': ({ hasToken, models, url }) => ({
    type: 'text/html; charset=utf-8',
    body: docsPage(models, url, hasToken),
  }),
}
