-- Requests under an Idempotency-Key that were carried out, each with its answer: written in the transaction of the work
-- itself, so that the one is there exactly when the other is. The owner is a company; of an organization's endpoint, the
-- organization. What is older than 24 hours is removed piece by piece by its time.
create table idempotency_keys (
  owner_id text collate "C" not null,
  key text collate "C" not null,
  -- Digest of the method, path and body that the key is bound to.
  fingerprint text collate "C" not null,
  created_at timestamptz(3) not null,
  status smallint not null,
  -- JSON as it was sent, or a sealed text where it holds a secret.
  answer text not null,
  primary key (owner_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
-- Rows come and go all day: their room has to be found again soon.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- What the servers of one database have to agree on.
create table agreements (
  name text collate "C" primary key,
  value text not null
);
