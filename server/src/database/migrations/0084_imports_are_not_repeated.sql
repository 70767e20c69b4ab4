-- A file is imported again by sending it again, so imports no longer show which one they repeat.
--
-- Servers of the previous version write the column `repeats`, so it stays.
-- Oldest server: 0072
create or replace view import_records as
select company_id, id, state, shop, iso_time(created_at) collate "C" as created_at, iso_time(updated_at) collate "C" as updated_at,
  json_strip_nulls(json_build_object(
    'id', id, 'fileName', file_name, 'bytes', bytes, 'kind', kind, 'shop', shop, 'outletId', outlet_id, 'state', state,
    'progress', round(progress::numeric, 3), 'summary', tally, 'rowsRefused', rows_refused, 'problem', problem,
    'stock', case when not with_stock then false end,
    'startedAt', iso_time(started_at), 'finishedAt', iso_time(finished_at),
    'undo', undo, 'undoneAt', iso_time(undone_at),
    'undoUntil', case when undo_until > now() and state in ('done', 'failed', 'cancelled') then iso_time(undo_until) end,
    'fileUntil', case when has_file and state not in ('checking', 'running', 'undoing')
      then iso_time(least(coalesce(file_until, kept_until), kept_until)) end,
    'keptUntil', iso_time(kept_until),
    'createdAt', iso_time(created_at), 'updatedAt', iso_time(updated_at), 'companyId', company_id
  )) as body,
  kind
from imports where state <> 'sending';
