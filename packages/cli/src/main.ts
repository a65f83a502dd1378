#!/usr/bin/env node
// The entry point: runs the program and turns failures into messages and exit codes.

import { CommanderError } from 'commander'
import { withConfig } from './config.ts'
import { exitCodeOf, messageOf, unwritten } from './errors.ts'
import { makeProgram } from './program.ts'
import { visible } from './terminal/width.ts'

let told = ''
/** Once: what writes to stdout may fail of it, too. */
function fail(error: unknown): void {
  const message = messageOf(error)
  if (message !== told) process.stderr.write(`${message}\n`)
  told = message
  process.exitCode = exitCodeOf(error)
}

// A reader that has seen enough, such as head, is no failure of ours. A stdout that takes no more, such as a full drive, is said once.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  fail(unwritten(error))
  process.stderr.write('', () => process.exit())
})
// There is nowhere left to say it, and results are not lost by it.
process.stderr.on('error', () => {})

try {
  const program = makeProgram()
  const { args, note } = await withConfig(program, process.argv.slice(2))
  if (note !== undefined && !args.includes('--quiet')) process.stderr.write(`${visible(note)}\n`)
  await program.parseAsync(args, { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; help and version are no failures.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  } else {
    fail(error)
  }
}
