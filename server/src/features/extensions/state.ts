// The state of the published list: a name that is another one after each change of what the list shows.

import { share } from '../../concurrency/batcher.ts'
import { newId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'

/**
 * Says that the published list is another one, in the transaction of the change. Those who change it wait for each other
 * from here on, so it is the last thing that a transaction does. The name is new in all the world: a database that was
 * restored never comes back to one that stands for another list.
 */
export async function changePublished(transaction: Queryable): Promise<void> {
  await transaction.query('update published_list set state = $1', [newId()])
}

/** Makes the question for the state. All who ask at once share a statement that begins after they asked: no answered change is missed. */
export function askState(database: Database): () => Promise<string> {
  const ask = share<string>()
  return () =>
    ask('state', async () => {
      const [row] = await database.reserved.query({
        name: 'published_state',
        text: 'select state from published_list',
      })
      return row?.[0]
    })
}
