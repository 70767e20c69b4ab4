-- Second factors of people: a secret for one-time codes (RFC 6238), and recovery codes. Servers of the previous version do not ask for them.
-- Oldest server: 0041

create table second_factors (
  user_id text collate "C" primary key references users (id) on delete cascade,
  -- Sealed; null after the secret key that sealed it was replaced. Then only recovery codes work.
  secret text,
  -- Null until the user has entered a first code: until then no sign-in asks for one.
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code: neither that code nor an older one is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null
);

-- SHA-256 of 80 random bits; a row is deleted when its code is used.
create table recovery_codes (
  user_id text collate "C" not null references second_factors (user_id) on delete cascade,
  hash text collate "C" not null,
  primary key (user_id, hash)
);
