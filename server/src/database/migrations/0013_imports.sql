-- Catalogues to be imported: the job of each, and its file.

create table imports (
  company_id text collate "C" not null,
  id text collate "C" not null,
  file_name text not null,
  -- Of the complete file; during the upload, the maximum.
  bytes bigint not null,
  shop text not null check (shop in ('woocommerce', 'shopify')),
  outlet_id text collate "C",
  -- 'sending' is an upload in progress, which is not visible.
  state text collate "C" not null check (state in ('sending', 'checking', 'ready', 'running', 'done', 'failed', 'cancelled')),
  -- The key, or the person in the console, that sent it or ran it: the import writes in its name.
  key_id text collate "C",
  user_id text collate "C",
  runs_by_itself boolean not null,
  -- The check is finished, so that it can be run.
  is_checked boolean not null default false,
  progress double precision not null default 0,
  -- What would be done, or was done so far, including the work under earlier leases.
  tally json,
  rows_refused integer,
  -- CSV as the API returns it.
  refused text,
  preview json,
  problem text,
  -- Identifies the lease: its holder writes only while the number stays the same.
  lease integer not null default 0,
  leased_until timestamptz,
  -- Leases since it was last requested.
  tries integer not null default 0,
  next_try_at timestamptz not null,
  -- Since when it has waited for its turn, and when it last had its turn.
  queued_at timestamptz not null,
  turn_at timestamptz,
  kept_until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (company_id, id)
);
create index imports_waiting on imports (state, queued_at) where state in ('checking', 'running');
create index imports_kept on imports (kept_until);
-- Its rows are updated every second.
alter table imports set (fillfactor = 50);

create table import_pieces (
  company_id text collate "C" not null,
  import_id text collate "C" not null,
  number integer not null,
  bytes bytea not null,
  primary key (company_id, import_id, number),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);

-- Imports as the API shows them.
create view import_records as
select company_id, id, state, shop, iso_time(created_at) collate "C" as created_at, iso_time(updated_at) collate "C" as updated_at,
  json_strip_nulls(json_build_object(
    'id', id, 'fileName', file_name, 'bytes', bytes, 'shop', shop, 'outletId', outlet_id, 'state', state,
    'progress', round(progress::numeric, 3), 'summary', tally, 'rowsRefused', rows_refused, 'problem', problem,
    'startedAt', iso_time(started_at), 'finishedAt', iso_time(finished_at), 'keptUntil', iso_time(kept_until),
    'createdAt', iso_time(created_at), 'updatedAt', iso_time(updated_at), 'companyId', company_id
  )) as body
from imports where state <> 'sending';
