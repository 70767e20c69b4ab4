-- Completed requests under an Idempotency-Key, each with its response: written in the transaction of the work
-- itself, so that one exists exactly if the other does. The owner is a company, or for an organization's endpoint the
-- organization. Rows older than 24 hours are removed in batches.
create table idempotency_keys (
  owner_id text collate "C" not null,
  key text collate "C" not null,
  -- Digest of the method, path and body that the key is bound to.
  fingerprint text collate "C" not null,
  created_at timestamptz(3) not null,
  status smallint not null,
  -- JSON as it was sent, or an encrypted text if it contains a secret.
  answer text not null,
  primary key (owner_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
-- Rows are added and removed all day: vacuum must free their space soon.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Values that must be the same on all servers of a database.
create table agreements (
  name text collate "C" primary key,
  value text not null
);
