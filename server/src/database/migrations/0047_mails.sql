-- Mails that wait to be sent: written in the transaction of their cause, sent in the background, and deleted then. Servers of the
-- previous version send none.
-- Oldest server: 0041

create table mails (
  id text collate "C" primary key,
  kind text collate "C" not null,
  -- JSON, sealed, since it may contain the token of a link.
  content text not null,
  -- Attempts so far. With the id, this identifies the lease, which ends at `next_try_at`.
  tries integer not null default 0,
  next_try_at timestamptz not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index mails_due on mails (next_try_at);
