-- Browsers in which a user signed in before: guessing the password elsewhere does not block them.
--
-- A browser has one token, stored only as SHA-256, and a row for each user who signed in there. Each sign-in replaces the
-- token; the id stays. The token gives no access. The sign-in is the latest one there: if it is ended from
-- elsewhere, the browser is no longer known.

create table known_browsers (
  id text collate "C" primary key,
  hash text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade,
  sign_in_id text collate "C" not null,
  seen_at timestamptz(3) not null,
  unique (hash, user_id)
);
create index known_browsers_of_user on known_browsers (user_id, seen_at);
create index known_browsers_seen on known_browsers (seen_at);
