// Marks a database as restored to a moment: cursors of lost events are refused, and nobody outside is called.

import type { Connection } from '../../database/connect.ts'
import { openDatabase } from '../../database/open.ts'
import { refuseOthers } from '../../database/other-sessions.ts'
import { skipLostEvents } from '../events/gaps.ts'
import { silenceOutsideCalls } from './outside-calls.ts'

/** Milliseconds of the statement that marks each company's events. */
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
