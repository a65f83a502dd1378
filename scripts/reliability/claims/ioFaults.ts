import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { FAULT_KINDS, tryFaults } from '../faults/faults.ts'

async function measure(run: Run): Promise<Outcome> {
  const { commands, done, faults, operations, problems } = await tryFaults(run)
  return {
    kept: problems.length === 0,
    figure: `${counted(faults, 'fault')} (${FAULT_KINDS.join(', ')}) in ${commands} commands, which perform ${counted(operations, 'file operation')}: ${counted(faults - done - problems.length, 'run')} ended with a code and the old files, ${done.toLocaleString('en-US')} did their work all the same, ${counted(problems.length, 'anything else', 'anything else')}.`,
    problems,
  }
}

export const ioFaults: Claim = {
  id: 'R13',
  title: 'Faults of the disk',
  promised:
    'The first open, read, write, flush, rename, link or mkdir below the working folder fails (EIO; no space from there on, ENOSPC; a write that takes only half), then the second, and so on, for every command that writes: each output is the old file or the new one, intact; temporary files are gone; the command says with a code what happened, or has done its work all the same.',
  anchor: 'SQLite: the n-th call fails, for every n (ioerr and malloc tests).',
  by: { unit: 'faults of each kind for each command, at most', short: 1, long: 10_000, measure },
}
