// What a report draws of a monitor.

import { VERSION } from '../common/version.ts'
import type { MonitorReport } from '../monitor/facts.ts'

export interface MonitorEvidence {
  readonly format: 'featureboost-monitor-report'
  readonly version: 1
  readonly about: { readonly name: string; readonly command: string; readonly library: string }
  readonly report: MonitorReport
}

export const monitorEvidence = (
  report: MonitorReport,
  about: { readonly name: string; readonly command: string },
): MonitorEvidence => ({
  format: 'featureboost-monitor-report',
  version: 1,
  about: { ...about, library: VERSION },
  report,
})
