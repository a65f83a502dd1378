// Plain Fastify with the schema of the model's rows, as a process: it checks a body as ours is checked, and answers with a constant.
// What it takes is the price of HTTP, JSON and the check.

import { prepareTools } from './tools.ts'

const [cache, schemaText] = process.argv.slice(2)
const fastify = prepareTools(cache)('fastify')
const row = JSON.parse(schemaText)
const app = fastify({ logger: false, bodyLimit: 4 * 2 ** 20 })
const probability = { type: 'number' }
const model = { type: 'string' }
app.post(
  '/one',
  {
    schema: {
      body: row,
      response: { 200: { type: 'object', properties: { prediction: probability, model } } },
    },
  },
  () => ({ prediction: 0.25, model: 'constant' }),
)
app.post(
  '/many',
  {
    schema: {
      body: { type: 'array', items: row },
      response: {
        200: { type: 'object', properties: { predictions: { type: 'array', items: probability }, model } },
      },
    },
  },
  (request: { body: readonly unknown[] }) => ({
    predictions: request.body.map(() => 0.25),
    model: 'constant',
  }),
)
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`http://127.0.0.1:${app.server.address().port}\n`)
