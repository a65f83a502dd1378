// Addresses of servers: what they may say, and that a token is never shown nor sent in plain text to others.

import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../src/engines/spark/address.ts'

const parse = (text: string, environment = {}) => parseAddress(text, environment)
const SECRET = 'dapi0123456789'

describe('the address of a Spark server', () => {
  it('has a port, a user and no TLS by default', () => {
    expect(parse('sc://localhost')).toEqual({
      shown: 'sc://localhost:15002',
      origin: 'http://localhost:15002',
      isSecure: false,
      token: undefined,
      userId: 'featureboost',
      sessionId: undefined,
      headers: {},
    })
    expect(parse('sc://spark.example.com:443/')).toMatchObject({ origin: 'http://spark.example.com:443' })
    expect(parse('sc://[::1]:99/;')).toMatchObject({ origin: 'http://[::1]:99' })
  })

  it('takes token, user, session and headers', () => {
    const id = '00112233-4455-6677-8899-aabbccddeeff'
    const text = `sc://h.example:443/;use_ssl=true;token=${SECRET};user_id=a%3Bb;session_id=${id};x-databricks-cluster-id=12-ab;user_agent=us`
    expect(parse(text)).toEqual({
      shown: 'sc://h.example:443',
      origin: 'https://h.example:443',
      isSecure: true,
      token: SECRET,
      userId: 'a;b',
      sessionId: id,
      headers: { 'user-agent': 'us', 'x-databricks-cluster-id': '12-ab' },
    })
  })

  it('has TLS wherever a token goes to another machine', () => {
    expect(parse(`sc://h.example/;token=${SECRET}`)).toMatchObject({ isSecure: true })
    expect(parse(`sc://127.0.0.1/;token=${SECRET}`)).toMatchObject({ isSecure: false })
    expect(parse(`sc://127.0.0.1/;token=${SECRET};use_ssl=true`)).toMatchObject({ isSecure: true })
    expect(() => parse(`sc://h.example/;token=${SECRET};use_ssl=false`)).toThrow(
      /plain text to another machine/,
    )
    expect(() => parse(`sc://127.0.0.1.example.com/;token=${SECRET};use_ssl=false`)).toThrow(
      /^FB_SPARK_ADDRESS/,
    )
  })

  it('takes the token from the variable that servers have it from, unless it says one', () => {
    const environment = { SPARK_CONNECT_AUTHENTICATE_TOKEN: 'from-outside' }
    expect(parse('sc://localhost', environment).token).toBe('from-outside')
    expect(parse('sc://localhost/;token=mine', environment).token).toBe('mine')
    expect(parse('sc://h.example', environment)).toMatchObject({ isSecure: true, token: 'from-outside' })
  })

  it.each([
    ['another scheme', `http://h/;token=${SECRET}`],
    ['no host', `sc:///;token=${SECRET}`],
    ['a token before the host', `sc://${SECRET}@h`],
    ['a path', `sc://h/${SECRET}`],
    ['a query', `sc://h?token=${SECRET}`],
    ['a port that is none', `sc://h:70000/;token=${SECRET}`],
    ['a parameter without a name', `sc://h/;${SECRET}`],
    ['a parameter twice', `sc://h/;token=${SECRET};token=${SECRET}`],
    ['a session that is no UUID', `sc://h/;token=${SECRET};session_id=1`],
    ['use_ssl that is neither', `sc://h/;token=${SECRET};use_ssl=yes`],
    ['a token with a line break', `sc://h/;token=${SECRET}%0A`],
    ['a header that is ours', `sc://h/;token=${SECRET};authorization=x`],
    ['a header of gRPC', `sc://h/;token=${SECRET};grpc-timeout=x`],
    ['a header with a line break', `sc://h/;token=${SECRET};x-a=%0D%0A`],
    ['a broken escape', `sc://h/;token=${SECRET};x-a=%`],
    ['a strange name', `sc://h/;token=${SECRET};x a=1`],
  ])('is refused for %s, without the token', (_, text) => {
    const error = (() => {
      try {
        parse(text)
      } catch (error) {
        return error as Error
      }
      throw new Error('it was taken')
    })()
    expect(error.message).toMatch(/^FB_SPARK_ADDRESS/)
    expect(error.message).not.toContain(SECRET)
    expect(JSON.stringify(error)).not.toContain(SECRET)
  })
})
