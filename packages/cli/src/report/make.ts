// From data to a report file: what every command that writes one does.

import { basename } from 'node:path'
import { collectEvidence, type Evidence, type EvidenceOptions } from '@featureboost/core'
import { commandLine } from '../commands/commandLine.ts'
import { interruptibleEngine } from '../commands/engine.ts'
import type { ReadData, Session } from '../commands/session.ts'
import { reportLine, type WrittenReport, writeReport } from './write.ts'

type Asked = Omit<
  EvidenceOptions,
  'signal' | 'onPhase' | 'onProgress' | 'onWarning' | 'engine' | 'name' | 'command'
>

export async function makeReport(
  out: string,
  data: ReadData,
  session: Session,
  asked: Asked,
): Promise<{ evidence: Evidence; written: WrittenReport }> {
  const { progress, signal } = session
  const evidence = await collectEvidence(data.rows, evidenceOptions(data, session, asked))
  signal.throwIfAborted()
  progress.phase('writing')
  return { evidence, written: await writeReport(out, evidence) }
}

/** What a command tells of itself and of its data. */
export function evidenceOptions<T extends Asked>(
  { input }: ReadData,
  { progress, signal }: Session,
  asked: T,
) {
  return {
    ...asked,
    // Folders are nobody's business.
    name: input === undefined ? 'the query' : basename(input.name),
    command: commandLine(),
    signal,
    onPhase: progress.phase,
    onProgress: progress.search,
    onWarning: progress.tell,
    engine: interruptibleEngine({ threads: asked.threads, signal, onWarning: progress.tell }),
  }
}

/** A report besides what a command prints: told on stderr. */
export async function reportBeside(
  out: string | undefined,
  data: ReadData,
  session: Session,
  asked: Asked,
): Promise<void> {
  if (out === undefined) return
  const { written } = await makeReport(out, data, session, asked)
  session.progress.tell(reportLine(written))
}
