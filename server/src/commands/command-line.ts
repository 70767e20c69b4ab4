// The command line: its commands, and how failures are reported. Each command is one import and one line.
import { styleText } from 'node:util'

import { CommanderError } from 'commander'
import { OperatorError } from '../core/operator-error.ts'
import { Problem } from '../core/problem.ts'
import { newestMigration } from '../database/migrate.ts'
import { misspeltSettings } from '../settings.ts'
import { commit, version } from '../version.ts'
import { addMarkRestored, addResume } from './after-restore.ts'
import { addBackup } from './backup.ts'
import { CashwrapCommand, refuseUnknownCommand } from './cashwrap-command.ts'
import { addCompany } from './company.ts'
import { addDump, addLoad } from './dump.ts'
import { addExtension } from './extension.ts'
import { addHealthcheck } from './healthcheck.ts'
import { addImport } from './import.ts'
import { addKey } from './key.ts'
import { addMcp } from './mcp.ts'
import { addMigrate } from './migrate.ts'
import { addOrganization } from './organization.ts'
import { addPlan } from './plan.ts'
import { addRestore } from './restore.ts'
import { addReplaceSecret, addSecret } from './secret.ts'
import { addServe } from './serve.ts'
import { addUser } from './user.ts'

/** Runs a command, prints what it says, and returns its exit code: see `fail`. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  for (const sentence of misspeltSettings(process.env))
    console.error(`${styleText('yellow', 'warning:', { stream: process.stderr })} ${sentence}`)
  try {
    // Only when it is asked for: it starts git and reads a folder.
    const isAsked = args.includes('--version') || args.includes('-V')
    const program = commandLine(isAsked ? await builtFrom() : version)
    refuseUnknownCommand(program, args)
    await program.parseAsync(args, { from: 'user' })
    // A command may have set its own.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return fail(error, args)
  }
}

/** What `--version` prints: a report of a fault needs no more. */
async function builtFrom(): Promise<string> {
  return `${version} (commit ${commit() ?? 'unknown'}, schema ${await newestMigration()})`
}

function commandLine(built: string): CashwrapCommand {
  const program = new CashwrapCommand('cashwrap')
    .description('An open, self-hosted point-of-sale data API on PostgreSQL.')
    .version(built)
    // So that a command with subcommands leaves them their options.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
  for (const add of [
    addServe,
    addMigrate,
    addOrganization,
    addCompany,
    addPlan,
    addKey,
    addExtension,
    addImport,
    addUser,
    addBackup,
    addRestore,
    addMarkRestored,
    addResume,
    addDump,
    addLoad,
    addHealthcheck,
    addMcp,
    addSecret,
    addReplaceSecret,
  ])
    add(program)
  return program
}

/** Reports a failure, and returns the exit code: 1 for the environment, 2 for invalid input, 70 for a bug. */
function fail(error: unknown, args: readonly string[]): number {
  // Help and version are already printed.
  if (error instanceof CommanderError && /^commander\.(help|version)/.test(error.code)) return error.exitCode && 2
  const code = exitCodeOf(error)
  const text = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  const message = code === 70 ? `Cashwrap failed unexpectedly: ${text}` : text
  console.error(`${styleText('red', 'error:', { stream: process.stderr })} ${message}`)
  if (code === 70) console.error((error as Error).stack)
  if (args.includes('--json')) console.log(JSON.stringify({ error: { exitCode: code, message } }))
  return code
}

/** 2 for invalid input, 1 for a problem with the environment such as the database, 70 for a bug. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return 2
  if (error instanceof OperatorError) return 1
  if (!(error instanceof Problem) || error.code === 'internal_error') return 70
  return error.status < 500 ? 2 : 1
}
