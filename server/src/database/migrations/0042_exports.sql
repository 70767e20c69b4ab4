-- Exports of companies as files: the job of each, and its file.
-- Oldest server: 0041

create table exports (
  company_id text collate "C" not null,
  id text collate "C" not null,
  state text collate "C" not null check (state in ('running', 'done', 'failed')),
  -- The key, or the person, that asked for it.
  key_id text collate "C",
  user_id text collate "C",
  progress double precision not null default 0,
  -- Of the complete file, once the export is done.
  bytes bigint,
  sha256 text,
  -- The contents of the file, as its first line lists them.
  manifest json,
  problem text,
  -- Identifies the lease: its holder writes only while the number stays the same.
  lease integer not null default 0,
  leased_until timestamptz,
  -- Leases so far: each writes the file from its beginning.
  tries integer not null default 0,
  next_try_at timestamptz not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (company_id, id)
);
create index exports_waiting on exports (next_try_at) where state = 'running';
create index exports_expiring on exports (expires_at);
-- Its rows are updated every second.
alter table exports set (fillfactor = 50);

create table export_pieces (
  company_id text collate "C" not null,
  export_id text collate "C" not null,
  number integer not null,
  bytes bytea not null,
  primary key (company_id, export_id, number),
  foreign key (company_id, export_id) references exports (company_id, id) on delete cascade
);

-- Exports as the API shows them.
create view export_records as
select company_id, id, state, iso_time(created_at) collate "C" as created_at, iso_time(updated_at) collate "C" as updated_at,
  json_strip_nulls(json_build_object(
    'id', id, 'state', state, 'progress', round(progress::numeric, 3), 'bytes', bytes, 'sha256', sha256,
    'counts', manifest -> 'counts', 'cursor', manifest -> 'cursor', 'eventsSince', manifest -> 'eventsSince',
    'secretsLeftOut', manifest -> 'secretsLeftOut', 'problem', problem,
    'finishedAt', iso_time(finished_at), 'expiresAt', iso_time(expires_at),
    'createdAt', iso_time(created_at), 'updatedAt', iso_time(updated_at), 'companyId', company_id
  )) as body
from exports where expires_at > now() or state = 'running';
