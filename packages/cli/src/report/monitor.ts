// The report of a monitor as a file: its facts in the template of all reports.

import { type MonitorReport, reportHtml } from '@featureboost/core'
import { monitorEvidence } from '@featureboost/core/internal'
import { commandLine } from '../commands/commandLine.ts'
import { writeTextFile } from '../files.ts'
import { readTemplate, type WrittenReport } from './write.ts'

export async function writeMonitorReport(
  out: string,
  report: MonitorReport,
  name: string,
): Promise<WrittenReport> {
  const html = reportHtml(await readTemplate(), monitorEvidence(report, { name, command: commandLine() }))
  await writeTextFile(out, html, { overwrite: true })
  return { file: out, bytes: Buffer.byteLength(html) }
}
