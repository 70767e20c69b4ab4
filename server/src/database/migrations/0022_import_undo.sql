-- Undoing an import: the changes of each import, and imports of the command line.
--
-- Servers of the previous version neither read nor write any of this. An import that one of them runs has no `undo_until`,
-- so that it cannot be undone; records of an earlier run that it changes have another version then, and stay.

alter table imports
  drop constraint imports_state_check,
  add constraint imports_state_check check (state in
    ('sending', 'checking', 'ready', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')),
  -- False after the file was deleted, and for an import of the command line, which reads its own file.
  add column has_file boolean not null default true,
  -- Until when the file is kept, if that is shorter than for the row.
  add column file_until timestamptz(3),
  -- Whether the run sets stock.
  add column with_stock boolean not null default true,
  -- The import whose file this one uses.
  add column repeats text collate "C",
  -- Until when it can be undone: as long as its changes are kept. Their approximate size; and the result of the undo.
  add column undo_until timestamptz(3),
  add column undo_bytes bigint not null default 0,
  add column undo json,
  add column undone_at timestamptz(3);
create index imports_undoable on imports (undo_until) where undo_until is not null;

create table import_changes (
  company_id text collate "C" not null,
  import_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('products', 'variants', 'categories', 'outlets')),
  record_id text collate "C" not null,
  -- The order in which records were written: an undo goes in reverse.
  number bigint not null generated always as identity,
  was_created boolean not null,
  -- The record's version after the import: another version means a later change. Null if only stock was set.
  version integer,
  -- The former values of the changed members, null for unset ones: the body that restores them.
  before json,
  -- The level that it set: its version after the import, and the former stock; null if there was no level.
  inventory_id text collate "C",
  inventory_version integer,
  stock_before double precision,
  -- The stock moved between two writes of the import.
  was_moved boolean not null default false,
  -- The result of the undo, and for records left completely or in part: their name, and the reason.
  result text check (result in ('deleted', 'restored', 'left')),
  name text,
  reason text,
  primary key (company_id, import_id, kind, record_id),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);
create index import_changes_waiting on import_changes (company_id, import_id, kind, number) where result is null;
create index import_changes_left on import_changes (company_id, import_id, number) where result = 'left';

-- Imports as the API shows them.
create or replace view import_records as
select company_id, id, state, shop, iso_time(created_at) collate "C" as created_at, iso_time(updated_at) collate "C" as updated_at,
  json_strip_nulls(json_build_object(
    'id', id, 'fileName', file_name, 'bytes', bytes, 'shop', shop, 'outletId', outlet_id, 'state', state,
    'progress', round(progress::numeric, 3), 'summary', tally, 'rowsRefused', rows_refused, 'problem', problem,
    'stock', case when not with_stock then false end, 'repeats', repeats,
    'startedAt', iso_time(started_at), 'finishedAt', iso_time(finished_at),
    'undo', undo, 'undoneAt', iso_time(undone_at),
    'undoUntil', case when undo_until > now() and state in ('done', 'failed', 'cancelled') then iso_time(undo_until) end,
    'fileUntil', case when has_file and state not in ('checking', 'running', 'undoing')
      then iso_time(least(coalesce(file_until, kept_until), kept_until)) end,
    'keptUntil', iso_time(kept_until),
    'createdAt', iso_time(created_at), 'updatedAt', iso_time(updated_at), 'companyId', company_id
  )) as body
from imports where state <> 'sending';
