-- Sign-ins that ended because their user's last membership was removed: until they would have expired, a request with one is told why.
--
-- Only the SHA-256 of the token is stored, and nothing of the user, who is deleted.
-- Oldest server: 0072
create table removed_sign_ins (
  hash text collate "C" primary key,
  expires_at timestamptz(3) not null
);
create index removed_sign_ins_expiring on removed_sign_ins (expires_at);
