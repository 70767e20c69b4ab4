-- Passkeys of people (WebAuthn): public keys that sign a person in. Servers of the previous version do not offer them.
-- Oldest server: 0041

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  -- Base64url, as the browser names the credential.
  credential_id text collate "C" not null unique,
  -- COSE_Key in base64url. It is public: a copy of the database signs nobody in.
  public_key text not null,
  -- The authenticator's count of signatures; 0 where it does not count.
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_of_user on passkeys (user_id, created_at, id);

-- Challenges that were answered: none is accepted twice. A row is removed once its challenge has expired.
create table used_challenges (
  hash text collate "C" primary key,
  expires_at timestamptz(3) not null
);
