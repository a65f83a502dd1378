// The evidence out of the file: what is not evidence of a version that is known here is said, not drawn.

import type { Evidence } from '@featureboost/core'
import type { MonitorEvidence } from '@featureboost/core/internal'

export type Found =
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  | { readonly kind: 'monitor'; readonly evidence: MonitorEvidence }
  | { readonly kind: 'broken'; readonly reason: string }

export function readEvidence(text: string): Found {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return { kind: 'broken', reason: 'It holds no evidence. Was it cut off, or is it the empty template?' }
  }
  const { format, version } = (found ?? {}) as { format?: unknown; version?: unknown }
  const isMonitor = format === 'featureboost-monitor-report'
  if (format !== 'featureboost-evidence' && !isMonitor)
    return { kind: 'broken', reason: 'What it holds is no evidence.' }
  if (version !== 1)
    return {
      kind: 'broken',
      reason: `Its evidence is of version ${String(version)}; this file can draw version 1.`,
    }
  return isMonitor
    ? { kind: 'monitor', evidence: found as MonitorEvidence }
    : { kind: 'evidence', evidence: found as Evidence }
}
