// `cashwrap resume`: lets the service call other systems again after a restore or a load.
import type { Command } from 'commander'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addResume(program: Command): void {
  describe(
    program.command('resume'),
    'after a restore or a load, resume webhooks, mail, calls to the payment processor and the removal of files, including those that are waiting',
    'cashwrap resume',
  ).action(resume)
}

async function resume(output: Output): Promise<void> {
  const { resumeOutsideCalls } = await import('../features/restores/outside-calls.ts')
  const wereSilent = await withDatabase(resumeOutsideCalls)
  print(output, { wereSilent }, () =>
    wereSilent
      ? 'Cashwrap sends webhooks and mail, calls the payment processor, and deletes stored files again.'
      : 'Nothing to do: calls were not paused.',
  )
}
