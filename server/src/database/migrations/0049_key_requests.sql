-- The last requests of each company key. Unlogged: writing it costs no write-ahead log, and it is empty after a crash of PostgreSQL.
-- Oldest server: 0041

create unlogged table key_requests (
  company_id text collate "C" not null,
  key_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  -- Null if the client disconnected before the response began.
  status smallint,
  ms real not null,
  request_id text not null,
  primary key (company_id, key_id, at, id)
);
