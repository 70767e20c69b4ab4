// After a restore of the database to a moment, cursors of lost events are refused, and no outside service is called until the operator
// resumes calls: the database may be a copy, and the original may still call them.

import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import { isUnresumed } from '../../database/backup/archive.ts'
import type { Connection, Database, Queryable } from '../../database/connect.ts'
import { openDatabase } from '../../database/open.ts'
import { refuseOthers } from '../../database/other-sessions.ts'
import { skipLostEvents } from '../events/gaps.ts'

/** Milliseconds between two looks whether calls were resumed. */
const LOOK_MS = 1_000

/** Remembers a restore to a moment: from then on no server sends webhooks or calls the payment processor. */
export async function silenceOutsideCalls(transaction: Queryable, moment: string): Promise<void> {
  await transaction.query('insert into restores (restored_at, moment) values (clock_timestamp(), $1)', [moment])
}

/** Lets all servers call again; true if they were silent. */
export async function resumeOutsideCalls(database: Queryable): Promise<boolean> {
  // The column is from when webhooks were the only calls.
  const rows = await database.query(
    'update restores set webhooks_resumed_at = now() where webhooks_resumed_at is null returning 1',
  )
  return rows.length > 0
}

/** Something that calls outside services until it is stopped. */
interface Calling {
  stop(): Promise<unknown>
}

/** What is called while calls are silent. */
interface Calls {
  /** Starts to call, once calls may be made. */
  readonly start: () => Calling
  /** Called once if they are silent. */
  readonly silent: () => void
  readonly failed: Failed
}

/** Starts outside calls at once, or, in a restored database, once they are resumed. */
export async function callUnlessSilent(database: Database, { start, silent, failed }: Calls): Promise<Calling> {
  if (!(await isUnresumed(database))) return start()
  silent()
  let calling: Calling | undefined
  const looking = backgroundLoop(look, failed, LOOK_MS)
  looking.schedule(LOOK_MS)

  async function look(): Promise<number> {
    if (calling === undefined && !(await isUnresumed(database))) calling = start()
    return calling === undefined ? LOOK_MS : Number.POSITIVE_INFINITY
  }

  return {
    async stop() {
      await looking.stop()
      await calling?.stop()
    },
  }
}

/** Milliseconds that the statement may take that marks each company's events. */
const MARKING_MS = 3_600_000

/**
 * Marks a restored database before its first server starts, and migrates it. Calls `waits` with the reason of a wait.
 * Throws OperatorError while a server runs: its readers would lose their cursors, and it may be the original service
 * instead of the restored one.
 */
export async function markRestored(
  connection: Connection,
  moment: string,
  waits: (message: string) => void,
): Promise<void> {
  const database = await openDatabase({ ...connection, statementMs: MARKING_MS }, waits)
  try {
    await refuseOthers(database)
    await database.transaction(async (transaction) => {
      await skipLostEvents(transaction, moment)
      await silenceOutsideCalls(transaction, moment)
    })
  } finally {
    await database.close()
  }
}
