// Deletes what is no longer kept of imports: their files, what an undo would need, and then the imports themselves.

import { IMPORT_CHANGES_CLEARED } from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'

const atRest = `state not in ('sending', 'checking', 'running', 'undoing')`

/** What is cleared: each statement does a bounded part, and returns no row once nothing is left. */
const parts = [
  // Files, of one import at a time.
  `with old as materialized (
     select company_id, id from imports where has_file and file_until < now() and ${atRest}
     limit 1 for update skip locked
   ), gone as (
     delete from import_pieces as piece using old where piece.company_id = old.company_id and piece.import_id = old.id
   )
   update imports as stored set has_file = false from old
   where stored.company_id = old.company_id and stored.id = old.id returning 1`,
  // Expired changes, and changes that were too many to be undone.
  `with old as materialized (
     select company_id, id from imports
     where undo_bytes > 0 and ${atRest} and coalesce(undo_until, '-infinity') < now()
     limit 1 for update skip locked
   ), part as materialized (
     select change.company_id, change.import_id, change.kind, change.record_id from import_changes as change
     join old on change.company_id = old.company_id and change.import_id = old.id
     limit ${IMPORT_CHANGES_CLEARED}
   ), gone as (
     delete from import_changes as change using part
     where change.company_id = part.company_id and change.import_id = part.import_id and change.kind = part.kind
       and change.record_id = part.record_id
   )
   update imports as stored set
     undo_bytes = case when (select count(*) from part) < ${IMPORT_CHANGES_CLEARED} then 0 else undo_bytes end,
     undo_until = case when (select count(*) from part) < ${IMPORT_CHANGES_CLEARED} then null else undo_until end
   from old where stored.company_id = old.company_id and stored.id = old.id returning 1`,
  // Imports, and files whose upload has stopped.
  `with old as materialized (
     select company_id, id from imports
     where case state when 'sending' then leased_until < now()
       else kept_until < now() and state not in ('checking', 'running', 'undoing') end
     limit 1 for update skip locked
   )
   delete from imports as stored using old where stored.company_id = old.company_id and stored.id = old.id returning 1`,
]

/** Removes what is no longer kept; stops between two statements when `isOver`. */
export async function clearImports(database: Database, isOver: () => boolean): Promise<void> {
  for (const text of parts) while (!isOver() && (await database.query(text)).length > 0);
}
