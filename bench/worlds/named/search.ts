// The worst groups of an audit without its measures, which cost more than the search does: the same steps as in audit/audit.ts.
// test/measures/class/namedWorlds.test.ts compares the two.

import { chooseNoise } from '../../../packages/core/src/audit/noise.ts'
import { type AuditOptions, readAuditSettings } from '../../../packages/core/src/audit/settings.ts'
import { treeSpace } from '../../../packages/core/src/audit/worst/space.ts'
import { findWorstGroups, type WorstGroups } from '../../../packages/core/src/audit/worst/worstGroups.ts'
import { openRows } from '../../../packages/core/src/data/openRows.ts'
import type { Table } from '../../../packages/core/src/data/table.ts'
import { FIT } from '../../../packages/core/src/engine/engine.ts'
import { memoryEngine } from '../../../packages/core/src/engine/memory/memory.ts'
import { rememberJoint } from '../../../packages/core/src/engine/remember.ts'
import { openFamily } from '../../../packages/core/src/oracle/groups/family.ts'
import { encodeTable } from '../../../packages/core/src/quantize/encoding.ts'
import { binCount } from '../../../packages/core/src/quantize/schema.ts'
import { joinedSource, learnEncoding } from '../../../packages/core/src/store/encode.ts'

export async function searchTable(table: Table, options: AuditOptions): Promise<WorstGroups> {
  const settings = readAuditSettings(options)
  const { auditors, bins: levels, quantize, roles } = settings
  const opened = await openRows(table, roles, { keyed: true })
  const { features: columns, start } = opened.learnable
  const encoding = learnEncoding(opened.learnable, auditors, quantize)
  const schemas = encoding.features
  const engine = rememberJoint(await memoryEngine({ threads: 1 })(joinedSource(opened, [{ encoding }])))
  const features = schemas.map((_, feature) => feature)
  const family = await openFamily(engine, { fold: FIT, levels, depth: 2, schemas, features })
  const { bins } = encodeTable(encoding, { rowCount: start!.length, columns }, {})
  const found = await findWorstGroups(treeSpace(family), {
    ...settings,
    noise: await chooseNoise(engine),
    features: schemas,
    score: roles.prediction,
    sample: { rowCount: start!.length, bins, binCounts: schemas.map(binCount), predictions: start! },
  })
  await engine.close()
  return found
}
