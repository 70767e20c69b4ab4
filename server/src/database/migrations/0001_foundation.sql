-- The base of all tables: owners of data (organizations, companies), access to it (keys), and its history (events).
--
-- Rules for all tables of a company, so that they can later be sharded by company: company_id leads every
-- primary key, unique index, join and filter; no triggers; a company_id never changes.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A point in time as the API shows it.
create function iso_time(timestamptz) returns text
  language sql stable parallel safe
  return to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table organizations (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The people who own an organization; without an owner it can onboard no company.
create table organization_owners (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  email text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);

-- A company's limits by name, empty for none. A plan without an organization is shared by all.
create table plans (
  id text collate "C" primary key,
  organization_id text collate "C" references organizations (id),
  name text not null,
  limits jsonb not null default '{}',
  status text not null default 'active',
  is_default boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index plans_organization on plans (organization_id, created_at, id);

create table companies (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  plan_id text collate "C" references plans (id),
  account_id text collate "C",
  name text not null,
  email text,
  country text,
  currency text not null,
  timezone text,
  status text not null default 'active',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index companies_organization on companies (organization_id, created_at, id);

-- A key gives access to one company or one organization. Only its SHA-256 is stored.
create table api_keys (
  id text collate "C" primary key,
  company_id text collate "C" references companies (id),
  organization_id text collate "C" references organizations (id),
  name text not null,
  hash text collate "C" not null unique,
  prefix text not null,
  last_four text not null,
  permissions text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  check (num_nonnulls(company_id, organization_id) = 1)
);
create index api_keys_company on api_keys (company_id, created_at);
create index api_keys_organization on api_keys (organization_id, created_at);

-- Every write, in the transaction of the write: the record as the API shows it, and the former values of its changed members.
-- Weekly partitions (the server makes them ahead of time) let 30 days be kept by dropping tables instead of deleting rows.
-- written_in shows a reader of the feed which older writes may still be committing.
create sequence event_sequence as bigint cache 1;
create table events (
  company_id text collate "C" not null,
  sequence bigint not null default nextval('event_sequence'),
  id text collate "C" not null,
  type text collate "C" not null,
  created_at timestamptz(3) not null,
  resource text collate "C" not null,
  record_id text collate "C" not null,
  data json not null,
  previous json,
  written_in xid8 not null default pg_current_xact_id(),
  primary key (company_id, sequence, created_at)
) partition by range (created_at);
create table events_default partition of events default;
