// `cashwrap mark-restored` and `cashwrap resume`: what an operator does after a restore. The first does to a database what `cashwrap restore` does at its
// end, for one that another tool restored; the second lets the service call other systems again, also after a load.

import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import { readMoment } from './arguments.ts'
import { describe, type Output, print, printNote } from './output.ts'
import { silent } from './restore.ts'
import { reachPostgres, withDatabase } from './with-database.ts'

interface MarkRestoredOptions extends Output {
  readonly moment: string
}

export function addMarkRestored(program: Command): void {
  describe(
    program.command('mark-restored'),
    'after a restore by another tool and before the first start: refuse cursors of lost events, and call no other system',
    'cashwrap mark-restored --moment 2026-11-23T09:30:00Z',
  )
    .requiredOption('--moment <time>', 'the time to which the database was restored', readPastMoment)
    .action(mark)
}

function readPastMoment(text: string): string {
  const moment = readMoment(text)
  if (Date.parse(moment) > Date.now()) throw new InvalidArgumentError(`${moment} is in the future.`)
  return moment
}

async function mark({ moment, ...output }: MarkRestoredOptions): Promise<void> {
  const [{ markRestored }, { connection, close }] = await Promise.all([
    import('../features/restores/restored.ts'),
    reachPostgres(readConfig(), printNote),
  ])
  try {
    await markRestored(connection, moment, printNote)
  } finally {
    await close()
  }
  print(output, { moment }, () => `The database is marked as restored to ${moment}.\n${silent}`)
}

export function addResume(program: Command): void {
  describe(
    program.command('resume'),
    'after a restore or a load, resume webhooks, mail, calls to the payment processor and the removal of files, including those that are waiting',
    'cashwrap resume',
  ).action(resume)
}

async function resume(output: Output): Promise<void> {
  const { resumeOutsideCalls } = await import('../features/restores/restored.ts')
  const wereSilent = await withDatabase(resumeOutsideCalls)
  print(output, { wereSilent }, () =>
    wereSilent
      ? 'Cashwrap sends webhooks and mail, calls the payment processor, and deletes stored files again.'
      : 'Nothing to do: calls were not paused.',
  )
}
