// `cashwrap webhooks resume`: lets webhooks go out again after a restore.
import type { Command } from 'commander'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addWebhooks(program: Command): void {
  const group = program.command('webhooks').description('webhooks of a restored database')
  describe(
    group.command('resume'),
    'send webhooks again after a restore: those that were waiting at its moment, and those since',
    'cashwrap webhooks resume',
  ).action(async (output: Output) => {
    const { resumeWebhooks } = await import('../features/webhooks/silence.ts')
    const wereSilent = await withDatabase(resumeWebhooks)
    print(output, { wereSilent }, () =>
      wereSilent ? 'Webhooks are sent again.' : 'Nothing to do: webhooks were not silent.',
    )
  })
}
