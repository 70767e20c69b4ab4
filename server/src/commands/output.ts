// What commands print: aligned lines for people, or exactly one JSON document on standard output for programs.
import { styleText } from 'node:util'
import type { Command } from 'commander'
import { readId } from './arguments.ts'

/** The option that every command has. */
export interface Output {
  readonly json?: boolean | undefined
}

/** Adds `--json` and an example to a command's help. */
export function describe(command: Command, description: string, example: string): Command {
  return command
    .description(description)
    .option('--json', 'print one JSON document, for programs')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}

/** Adds a command on one record, whose id is its first argument, to a group; the example begins with such an id. */
export const describeOne = (group: Command, name: string, description: string, example: string): Command =>
  describe(group.command(name), description, `cashwrap ${group.name()} ${name} ${example}`).argument(
    '<id>',
    `its id, as \`cashwrap ${group.name()} list\` shows it`,
    readId,
  )

/** Prints a result: its JSON if `--json` is set, otherwise the text. */
export function print({ json }: Output, value: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(value) : text())
}

/** A note for people, beside the result. */
export const printNote = (message: string): void => console.error(message)

const bold = (text: string): string => styleText('bold', text)
const dim = (text: string): string => styleText('dim', text)

/** A title and, under it, a line for each value; undefined ones are left out. */
export function sheet(title: string, values: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const width = Math.max(...lines.map(([label]) => label.length))
  return [bold(title), '', ...lines.map(([label, value]) => `  ${dim(label.padEnd(width))}  ${oneLine(value)}`)].join(
    '\n',
  )
}

/** Rows under headings, in columns as wide as their widest cell; a sentence if there are none. */
export function table<R>(
  rows: readonly R[],
  columns: Readonly<Record<string, (row: R) => string>>,
  none: string,
): string {
  if (rows.length === 0) return none
  const cells = rows.map((row) => Object.values(columns).map((read) => oneLine(read(row))))
  const headings = Object.keys(columns)
  const widths = headings.map((heading, n) => Math.max(heading.length, ...cells.map((line) => line[n]?.length ?? 0)))
  const align = (line: readonly string[]) =>
    line
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd()
  return [dim(align(headings)), ...cells.map(align)].join('\n')
}

/** A name may contain line breaks and control codes of terminals; here they are removed. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')
