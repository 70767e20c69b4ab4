// The command line: its commands, and how failures are reported. Each command is one import and one line.
import { styleText } from 'node:util'
import { CommanderError } from 'commander'
import { addCompany } from './commands/company.ts'
import { addExtension } from './commands/extension.ts'
import { addImport } from './commands/import.ts'
import { addKey } from './commands/key.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOrganization } from './commands/organization.ts'
import { addPlan } from './commands/plan.ts'
import { CashwrapCommand, refuseUnknownCommand } from './commands/program.ts'
import { addReplaceSecret, addSecret } from './commands/secret.ts'
import { addServe } from './commands/serve.ts'
import { addUser } from './commands/user.ts'
import { OperatorError } from './core/operator-error.ts'
import { Problem } from './core/problem.ts'
import { misspeltSettings } from './settings.ts'
import { version } from './version.ts'

const program = new CashwrapCommand('cashwrap')
  .description('An open, self-hosted point-of-sale data API on PostgreSQL.')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: () => {} })

addServe(program)
addMigrate(program)
addOrganization(program)
addCompany(program)
addPlan(program)
addKey(program)
addExtension(program)
addImport(program)
addUser(program)
addSecret(program)
addReplaceSecret(program)

// The reader of our output may stop reading; that must not crash the program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
for (const sentence of misspeltSettings(process.env))
  console.error(`${styleText('yellow', 'warning:', { stream: process.stderr })} ${sentence}`)
try {
  refuseUnknownCommand(program, process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  process.exitCode = fail(error)
}
// A command may have set its own exit code; connections that PostgreSQL's driver still holds open must not delay the
// exit.
process.exit()

/** Reports a failure, and returns the exit code: 1 for the environment, 2 for invalid input, 70 for a bug. */
function fail(error: unknown): number {
  // Help and version are already printed.
  if (error instanceof CommanderError && /^commander\.(help|version)/.test(error.code)) return error.exitCode && 2
  const code = exitCodeOf(error)
  const text = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  const message = code === 70 ? `Cashwrap failed unexpectedly: ${text}` : text
  console.error(`${styleText('red', 'error:', { stream: process.stderr })} ${message}`)
  if (code === 70) console.error((error as Error).stack)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: { exitCode: code, message } }))
  return code
}

/** 2 for invalid input, 1 for a problem with the environment such as the database, 70 for a bug. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return 2
  if (error instanceof OperatorError) return 1
  if (!(error instanceof Problem) || error.code === 'internal_error') return 70
  return error.status < 500 ? 2 : 1
}
