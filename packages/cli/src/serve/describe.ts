// What the server takes and gives, from the typed columns of its models: as JSON, and as an OpenAPI document.

import { VERSION } from '@featureboost/core'
import type { FeatureSchema } from '@featureboost/core/internal'
import { ARROW_TYPE } from './arrowRows.ts'
import type { Served } from './shelf.ts'

/** Of one model: what a client has to send, and what it gets its numbers from. */
export function describeModel({ columns, loadedAt, model, name }: Served): object {
  const { certificate, data } = model
  return {
    name,
    hash: model.hash,
    loadedAt: loadedAt.toISOString(),
    score: data.start.kind === 'column' ? data.start.column : null,
    columns,
    row: rowSchema(model.data),
    rowsOfTheFit: data.imported === undefined ? certificate.rows.rowCount : null,
  }
}

/** JSON Schema of one row. */
function rowSchema({ encoding, start }: Served['model']['data']): object {
  const properties: Record<string, object> = Object.fromEntries(
    encoding.features.map(feature => [feature.name, valueSchema(feature)]),
  )
  if (start.kind === 'column')
    properties[start.column] = {
      type: 'number',
      description: `The score to correct, as ${start.scale ?? 'probability'}.`,
    }
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: true }
}

function valueSchema(feature: FeatureSchema): object {
  switch (feature.kind) {
    case 'numeric':
      if (feature.time !== undefined)
        return {
          type: ['string', 'null'],
          description: `A ${feature.time}${feature.format === undefined ? '' : `, as ISO 8601 or as ${feature.format} has it`}.`,
        }
      return {
        type: ['number', 'null'],
        ...(feature.range !== undefined && {
          description: `${feature.whole ? 'Whole numbers' : 'Numbers'} from ${feature.range[0]} to ${feature.range[1]} when the model was fitted.`,
        }),
      }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'categorical':
      return {
        type: feature.numbers ? ['string', 'number', 'null'] : ['string', 'null'],
        description: 'A category that the model has not seen counts as missing.',
        ...(feature.categories.length <= 20 && { examples: feature.categories }),
      }
  }
}

const JSON_TYPE = 'application/json'

/** OpenAPI 3.1. */
export function openApi(models: readonly Served[], { hasToken }: { readonly hasToken: boolean }): object {
  const schemas = Object.fromEntries(models.map(({ model, name }) => [`row_${name}`, rowSchema(model.data)]))
  const paths = Object.fromEntries(
    models.flatMap(({ name }, index) => {
      const operation = { post: predictOperation(name) }
      const own: [string, object] = [`/models/${name}/predict`, operation]
      return index === 0 ? [['/predict', operation] as [string, object], own] : [own]
    }),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'featureboost', version: VERSION, description: 'Corrected probabilities.' },
    ...(hasToken && { security: [{ token: [] }] }),
    paths: {
      ...paths,
      '/models': { get: reading('The models that are served, with the columns they read.', JSON_TYPE) },
      '/health': { get: { ...reading('Is it ready to answer?', JSON_TYPE), security: [] } },
      '/metrics': { get: reading('Counts and times, for Prometheus.', 'text/plain') },
    },
    components: {
      schemas: {
        ...schemas,
        error: {
          type: 'object',
          properties: {
            error: {
              type: 'object',
              properties: {
                code: { type: 'string' },
                message: { type: 'string' },
                column: { type: 'string' },
                row: { type: 'integer', description: 'Counted from 1.' },
              },
            },
          },
        },
      },
      ...(hasToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
  }
}

function predictOperation(name: string): object {
  const row = { $ref: `#/components/schemas/row_${name}` }
  const rows = { type: 'array', items: row }
  const model = { type: 'string', description: 'The hash of the model.' }
  const probability = { type: 'number', minimum: 0, maximum: 1 }
  const one = { type: 'object', properties: { prediction: probability, model } }
  const many = { type: 'object', properties: { predictions: { type: 'array', items: probability }, model } }
  const error = { content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/error' } } } }
  const errors = Object.entries({
    400: 'The body holds no rows.',
    401: 'The token is missing or wrong.',
    413: 'The body is larger than is taken.',
    415: 'The body is of another type.',
    422: 'The model cannot take these rows.',
    503: 'There is too much to do: Retry-After says when to come again.',
  }).map(([status, description]) => [status, { description, ...error }])
  return {
    summary: `Corrected probabilities, by the model "${name}".`,
    requestBody: {
      required: true,
      content: {
        [JSON_TYPE]: { schema: { oneOf: [row, rows, { type: 'object', properties: { rows } }] } },
        [ARROW_TYPE]: { schema: { type: 'string', format: 'binary', description: 'An Arrow IPC stream.' } },
        'application/x-ndjson': {
          schema: { type: 'string', description: 'One row a line, one answer a line.' },
        },
      },
    },
    responses: {
      200: {
        description: 'One prediction for one row, predictions for a list.',
        content: {
          [JSON_TYPE]: { schema: { oneOf: [one, many] } },
          [ARROW_TYPE]: {
            schema: {
              type: 'string',
              format: 'binary',
              description: 'An Arrow IPC stream with the column "prediction".',
            },
          },
        },
      },
      ...Object.fromEntries(errors),
    },
  }
}

const reading = (summary: string, type: string): object => ({
  summary,
  responses: { 200: { description: summary, content: { [type]: {} } } },
})

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

/** A page for people: what can be asked, and an example for each model. No script, nothing from elsewhere. */
export function docsPage(models: readonly Served[], origin: string, hasToken: boolean): string {
  const token = hasToken ? ' -H "Authorization: Bearer $TOKEN"' : ''
  const parts = models.map(({ columns, model, name }) => {
    const row = JSON.stringify(Object.fromEntries(columns.map(column => [column, null])))
    const command = `curl ${origin}/models/${name}/predict${token} -H "Content-Type: application/json" -d '${row}'`
    return `<h2>${escapeHtml(name)}</h2><p>Hash <code>${escapeHtml(model.hash)}</code></p>
<p>Every column has to be there; null where a value is missing.</p><pre>${escapeHtml(command)}</pre>
<table><tr><th>column</th><th>takes</th></tr>${Object.entries(
      (rowSchema(model.data) as { properties: Record<string, { type: unknown; description?: string }> })
        .properties,
    )
      .map(
        ([column, { description = '', type }]) =>
          `<tr><td>${escapeHtml(column)}</td><td>${escapeHtml([type].flat().join(', '))}. ${escapeHtml(description)}</td></tr>`,
      )
      .join('')}</table>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>featureboost</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}pre{overflow-x:auto;padding:.75rem;border:1px solid #8888;border-radius:6px}td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}</style>
<h1>featureboost</h1><p>POST rows to <code>/predict</code> (the first model) or <code>/models/NAME/predict</code>; GET <a href="openapi.json">openapi.json</a>, <code>/models</code>, <code>/health</code>, <code>/metrics</code>.</p>
${parts.join('\n')}</html>
`
}
