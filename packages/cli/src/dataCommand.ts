// A command with the argument DATA and the flags that say how it is read.

import { ENCODINGS } from '@featureboost/core/internal'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { checkAddresses } from './addresses.ts'
import { memorySize } from './commands/size.ts'
import { isSparkAddress } from './engines/spark/address.ts'
import { chooseFrom, configFlag, wholeNumber } from './flags.ts'

/** `first`: an argument before the data, its name and its help. */
export function dataCommand(
  program: Command,
  name: string,
  description: string,
  first?: readonly [name: string, help: string],
): Command {
  const collect = (text: string, before: readonly string[] = []) => [...before, text]
  const command = program.command(name).description(description)
  if (first !== undefined) command.argument(...first)
  return (
    command
      .argument('[data...]', "CSV, TSV, Parquet, JSON (.gz), 'pattern-*.csv', a DuckDB file, or - for stdin")
      .option('--table <name>', 'a table of the DuckDB file, or catalog.schema.table in Spark')
      .option('--sql <query>', 'a query; the files are the table "data"; in Spark a query there')
      .option('--missing <text>', 'text that means a missing value in CSV; may be given again', collect)
      .option('--date-format <format>', "how a CSV writes its dates, such as '%m/%d/%Y'")
      .addOption(
        chooseFrom(new Option('--decimal <mark>', 'the decimal mark of a CSV (default: .)'), [',', '.']),
      )
      .addOption(
        chooseFrom(new Option('--encoding <name>', 'how text files are encoded (default: utf-8)'), ENCODINGS),
      )
      .addOption(
        new Option(
          '--memory <size>',
          'memory for rows, such as 2GB; beyond it they are on disk (default: what there is)',
        ).argParser(memorySize),
      )
      .option('--max-columns <n>', 'refuse more columns (default: 2000)', wholeNumber)
      .option('--max-cell <bytes>', 'refuse larger cells (default: 1000000)', wholeNumber)
      .option('--max-rows <n>', 'refuse more rows (default: 1000000000)', wholeNumber)
      .option(
        '--max-categories <n>',
        'refuse more different texts in a column (default: 1000000)',
        wholeNumber,
      )
      .addOption(configFlag())
      .option('--quiet', 'no progress', false)
      // Before DuckDB is loaded.
      .hook('preAction', () => checkAddresses())
  )
}

/** For commands that put questions to an engine. */
export function engineFlags(command: Command): void {
  command
    .addOption(
      new Option(
        '--engine <name>',
        'where rows are: memory, duckdb (on disk) or sc://host:port/;token=... (Spark) (default: memory, where they fit)',
      ).argParser(engineName),
    )
    .option(
      '--database <file>',
      'where --engine duckdb works (default: a temporary file); removed at the end',
    )
  sparkFlags(command)
}

/** For commands whose rows may stay in Spark. */
export function sparkFlags(command: Command): void {
  command
    .option(
      '--work-schema <name>',
      'catalog.schema for tables that --engine sc://... works in, removed at the end',
    )
    .option('--keep', 'leave the tables in Spark, to look at them', false)
    .option('--explain', 'say what would be run in Spark, and what it may cost; run nothing', false)
}

/** The address itself is read when it is needed. */
export function engineName(text: string): string {
  if (text === 'memory' || text === 'duckdb' || isSparkAddress(text)) return text
  throw new InvalidArgumentError('Expected memory, duckdb or an address such as sc://host:15002/;token=...')
}
