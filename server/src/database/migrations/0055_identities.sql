-- Identities of people at the operator's OpenID provider, by which they sign in. Servers of the previous version do not offer them.
-- Oldest server: 0041

create table identities (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  -- The provider, and its name for the person: together they identify the person.
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- What the provider says, as a label: it identifies nobody.
  email text,
  -- Whether the operator vouched for the provider's second factor when the identity was last used.
  is_second_factor boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  unique (issuer, subject)
);

create index identities_of_user on identities (user_id, created_at, id);
