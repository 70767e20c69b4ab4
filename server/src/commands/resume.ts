// `cashwrap resume`: lets the service call receivers of webhooks and the payment processor again after a restore.
import type { Command } from 'commander'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addResume(program: Command): void {
  describe(
    program.command('resume'),
    'after a restore, resume webhooks and calls to the payment processor, including those that are waiting',
    'cashwrap resume',
  ).action(resume)
}

async function resume(output: Output): Promise<void> {
  const { resumeOutsideCalls } = await import('../features/restores/outside-calls.ts')
  const wereSilent = await withDatabase(resumeOutsideCalls)
  print(output, { wereSilent }, () =>
    wereSilent
      ? 'Webhooks are sent and the payment processor is called again.'
      : 'Nothing to do: calls were not paused.',
  )
}
