-- Events that can be read in order, and automation triggers that read them: their deliveries, and their pending retries.

-- Readers of the feed no longer use the column written_in of events (0001); the fault tests use it to see what was
-- written in one transaction. From now on last_value is always a number that was assigned.
select nextval('event_sequence');

create function event_position() returns bigint
  language sql volatile
  return (select last_value from event_sequence);

-- Takes an advisory lock on the company's events until the transaction ends, shared with other writers, before the first
-- event takes its number: the second key is the value of the sequence. So a reader of the feed knows from which number on
-- events of a company may still be uncommitted. A transaction that has the lock needs no other: a bulk of a thousand
-- statements has one. Rolling back a savepoint undoes both the lock and the mark that it is held. The second key 7 belongs
-- to listeners on a channel (listen.ts), under the hash of its name, which may equal a company's: one less means the same.
create function begin_events(company text) returns void
  language plpgsql volatile as $$
begin
  if current_setting('cashwrap.begun', true) is distinct from company then
    perform pg_advisory_xact_lock_shared(
      hashtext(company), ((last_value - (last_value & 4294967295 = 7)::int << 32) >> 32)::int
    ) from event_sequence;
    perform set_config('cashwrap.begun', company, true);
  end if;
end $$;

-- The watermark: the number up to which each company's events are all committed, or never will be. A later statement must
-- read the events. The order matters: the number is read first, so that writers that begin meanwhile get higher ones.
create function events_settled(companies text[]) returns table (company_id text, settled bigint)
  language plpgsql volatile as $$
declare
  given bigint := event_position();
begin
  return query
    with held as materialized (
      select classid, min(case when ahead < 2147483648 then given + ahead else given + ahead - 4294967296 end) as began
      from (
        select locks.classid, ((locks.objid::bigint - given) & 4294967295) as ahead from pg_locks as locks
        where locks.locktype = 'advisory' and locks.objsubid = 2 and locks.objid <> 7
          and locks.database = (select oid from pg_database where datname = current_database())
      ) as lock group by classid
    )
    select item.id, least(given, held.began)
    from unnest(companies) as item(id)
    left join held on held.classid = (hashtext(item.id)::bigint & 4294967295)::oid;
end $$;

-- A trigger's cursor in the feed, and the server that dispatches it.
alter table automation_triggers
  -- Its `apiKey`, encrypted; the record shows the mask.
  add column shown json not null default '{}',
  add column secret text,
  -- Events up to here were sent, or are among its deliveries, or do not match it.
  add column position bigint not null default event_position(),
  -- When something other than a new event is due.
  add column due_at timestamptz,
  -- The server that has leased it, and until when.
  add column leased_by text collate "C",
  add column leased_until timestamptz,
  -- Since when every call failed; until when its receiver asked for no calls.
  add column failing_since timestamptz,
  add column held_until timestamptz;
update automation_triggers set body = (left(body::text, -1) || ',"isActive":true,"maxParallel":1}')::json;
alter table automation_triggers
  add column is_active boolean not null generated always as (coalesce(body ->> 'isActive', 'true') = 'true') stored;
create index automation_triggers_due on automation_triggers (due_at) where due_at is not null;
create index automation_triggers_leased on automation_triggers (leased_until) where leased_by is not null;

-- Calls to receivers: one row per event that was sent to a trigger, with all attempts, as the API shows it. Weekly
-- partitions by the time in the id, created ahead and dropped with those of events.
create table webhook_deliveries (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  -- The event: its number and time, by which it is found; or the event itself, if it is not in the feed.
  sequence bigint,
  event_at timestamptz(3),
  event json,
  -- When it is sent next; null once it is finished.
  next_at timestamptz,
  -- Calls since it was last started, which determine the next delay; a redelivery starts again.
  tries integer not null default 0,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  trigger_id text collate "C" not null generated always as (body ->> 'triggerId') stored,
  event_id text collate "C" not null generated always as (body ->> 'eventId') stored,
  event_type text collate "C" not null generated always as (body ->> 'eventType') stored,
  state text collate "C" not null generated always as (body ->> 'state') stored,
  primary key (company_id, id)
) partition by range (id);
create table webhook_deliveries_default partition of webhook_deliveries default;
create index webhook_deliveries_by_trigger_id on webhook_deliveries (company_id, trigger_id, created_at, id);
create index webhook_deliveries_due on webhook_deliveries (company_id, trigger_id, next_at) where next_at is not null;
create index webhook_deliveries_by_event_id on webhook_deliveries (company_id, trigger_id, event_id);
-- It excludes successful deliveries, which are nearly all.
create index webhook_deliveries_unsuccessful on webhook_deliveries (company_id, trigger_id, state, created_at, id)
  where state <> 'succeeded';
