// The version of the published list: a name that changes with each change of what the list shows.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { newId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'

/**
 * Gives the published list a new version, in the transaction of the change. From here on concurrent changes wait for
 * each other, so call it last. The name is globally unique: a restored database never returns to the name of another
 * list.
 */
export async function changePublished(transaction: Queryable): Promise<void> {
  await transaction.query('update published_list set state = $1', [newId()])
}

/**
 * Makes the function that reads the version. Concurrent calls share a statement that begins after they were made: no
 * answered change is missed.
 */
export function askState(database: Database): () => Promise<string> {
  const ask = singleFlight<string>()
  return () =>
    ask('state', async () => {
      const [row] = await database.reserved.query({
        name: 'published_state',
        text: 'select state from published_list',
      })
      return row?.[0]
    })
}
