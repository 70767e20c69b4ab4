// Webhooks stay silent after a restore of the database until the operator resumes them: the database may be a copy of one that still sends.

import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database, Queryable } from '../../database/connect.ts'

/** Milliseconds between two looks whether webhooks were resumed. */
const LOOK_MS = 1_000

/** Remembers a restore to a moment: from then on no server sends webhooks. */
export async function silenceWebhooks(transaction: Queryable, moment: string): Promise<void> {
  await transaction.query('insert into restores (restored_at, moment) values (clock_timestamp(), $1)', [moment])
}

/** Lets all servers send again; true if they were silent. */
export async function resumeWebhooks(database: Queryable): Promise<boolean> {
  const rows = await database.query(
    'update restores set webhooks_resumed_at = now() where webhooks_resumed_at is null returning 1',
  )
  return rows.length > 0
}

/** Whether no webhooks are sent because the database was restored. */
async function areWebhooksSilent(database: Queryable): Promise<boolean> {
  const rows = await database.query('select 1 from restores where webhooks_resumed_at is null limit 1')
  return rows.length > 0
}

/** Something that sends webhooks until it is stopped. */
interface Sending {
  stop(): Promise<void>
}

/** What is called while webhooks are silent. */
interface Calls {
  /** Starts to send, once webhooks may be sent. */
  readonly start: () => Sending
  /** Called once if they are silent. */
  readonly silent: () => void
  readonly failed: Failed
}

/** Sends webhooks at once, or, in a restored database, once they are resumed. */
export async function sendUnlessSilent(database: Database, { start, silent, failed }: Calls): Promise<Sending> {
  if (!(await areWebhooksSilent(database))) return start()
  silent()
  let sending: Sending | undefined
  const looking = backgroundLoop(look, failed, LOOK_MS)
  looking.schedule(LOOK_MS)

  async function look(): Promise<number> {
    if (sending === undefined && !(await areWebhooksSilent(database))) sending = start()
    return sending === undefined ? LOOK_MS : Number.POSITIVE_INFINITY
  }

  return {
    async stop() {
      await looking.stop()
      await sending?.stop()
    },
  }
}
