-- Browsers in which a user signed in before: whoever guesses the password elsewhere does not hold these up.
--
-- A browser has one token, of which only the SHA-256 is kept, and a row for each user who signed in there; the token is
-- another one after each sign-in, the id stays. It opens nothing. The sign-in is the latest one there: when it is ended from
-- elsewhere, the browser is not known any more.

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
