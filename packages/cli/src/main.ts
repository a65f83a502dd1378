#!/usr/bin/env node
// The entry point: runs the program and turns failures into messages and exit codes.

import { CommanderError } from 'commander'
import { withConfig } from './config.ts'
import { exitCodeOf, messageOf } from './errors.ts'
import { makeProgram } from './program.ts'
import { visible } from './terminal/width.ts'

// A reader that has seen enough, such as head, is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

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
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
