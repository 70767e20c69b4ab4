-- People who sign in to the console: accounts, memberships, sign-ins, and links.
--
-- Like keys these are rows of the service and not of one company: a person may have access to several, and a sign-in is
-- looked up before any company is known.

create table users (
  id text collate "C" primary key,
  -- As typed, and in the normal form for comparing addresses (features/people/users.ts).
  email text not null,
  address text collate "C" not null unique,
  name text,
  -- Argon2id as a PHC string; null until a link was used.
  password_hash text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_sign_in_at timestamptz(3)
);

-- A user's access: one company, or an organization with all its companies.
create table members (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  company_id text collate "C" references companies (id),
  organization_id text collate "C" references organizations (id),
  role text not null check (role in ('owner', 'admin') or role = 'viewer' and company_id is not null),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(company_id, organization_id) = 1)
);
create unique index members_of_company on members (company_id, user_id) where company_id is not null;
create unique index members_of_organization on members (organization_id, user_id) where organization_id is not null;
create index members_of_user on members (user_id);

-- Browsers with a signed-in user. Only the SHA-256 of the cookie's token is stored.
create table sign_ins (
  id text collate "C" primary key,
  hash text collate "C" not null unique,
  user_id text collate "C" not null references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  user_agent text not null,
  address text not null
);
create index sign_ins_of_user on sign_ins (user_id, created_at);
create index sign_ins_expiring on sign_ins (expires_at);

-- Links to choose a password once: for the very first person, who becomes an owner of the organization, or for a user.
-- Only the SHA-256 of the token is stored. A link is deleted when its maker may no longer make any.
create table sign_in_links (
  hash text collate "C" primary key,
  kind text not null check (kind in ('first', 'password')),
  user_id text collate "C" references users (id) on delete cascade,
  organization_id text collate "C" references organizations (id),
  made_by text collate "C" references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  check (case kind when 'first' then organization_id is not null and user_id is null else user_id is not null end)
);
create index sign_in_links_of_user on sign_in_links (user_id);
create index sign_in_links_made_by on sign_in_links (made_by) where made_by is not null;
create index sign_in_links_expiring on sign_in_links (expires_at);

-- Recent failed sign-ins, by account and by network, so that all servers block the same guessing.
create table sign_in_failures (
  name text collate "C" primary key,
  failures integer not null,
  since timestamptz(3) not null
);
create index sign_in_failures_since on sign_in_failures (since);

-- When a key that was rotated is refused, and then removed.
alter table api_keys add column delete_at timestamptz(3);
create index api_keys_deleted on api_keys (delete_at) where delete_at is not null;
