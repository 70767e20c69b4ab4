-- What a server must know about its database's past: backups, times without an archive, and restores with the events that
-- were lost in them.

-- Finished backups; the last ones are kept.
create table backups (
  finished_at timestamptz primary key,
  folder text not null,
  bytes bigint not null
);

-- Times in which the log was not archived: nothing between the two backups around it can be restored to a moment in it.
create table archive_gaps (
  began_at timestamptz primary key,
  reason text not null,
  ended_at timestamptz
);

-- Restores of this database, with the moment that each one reached. No webhooks are sent until they are resumed.
create table restores (
  restored_at timestamptz primary key,
  moment timestamptz not null,
  webhooks_resumed_at timestamptz
);

-- The numbers of events that were lost in a restore: for each company, those after its last event from before the restore, up
-- to the number from which events have been counted since. A cursor among them is refused.
create table feed_gaps (
  company_id text collate "C" not null,
  after_sequence bigint not null,
  until_sequence bigint not null,
  primary key (company_id, until_sequence)
);
create index feed_gaps_until on feed_gaps (until_sequence);
