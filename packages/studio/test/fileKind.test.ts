// Files are known by what they hold, whatever they are called.

import { describe, expect, it } from 'vitest'
import { kindOfFile } from '../src/data/fileKind.ts'

const kindOf = (text: string) => kindOfFile(new Blob([text]))

describe('a file', () => {
  it('is a monitor or a model by its format, in any order of keys and with a mark in front', async () => {
    expect(await kindOf('{\n "format": "featureboost-monitor",\n "version": 1')).toBe('monitor')
    expect(await kindOf(`\ufeff{"batches":[${'1,'.repeat(200_000)}1],"format":"featureboost-monitor"}`)).toBe(
      'monitor',
    )
    expect(await kindOf('{"format":"featureboost-model","version":2}')).toBe('model')
  })

  it('is a table where it is anything else, even one that speaks of monitors', async () => {
    for (const text of [
      '',
      'format,y\nfeatureboost-monitor,1\n',
      '{"format":"A4","y":1}\n{"format":"featureboost","y":0}\n',
      '[{"format":"featureboost-monitor"}]',
      '{"note":"\\"format\\": \\"featureboost-monitor\\"","y":1}\n',
      '{"format":"featureboost-monitor-report","version":1}',
    ])
      expect(await kindOf(text)).toBe('table')
  })
})
