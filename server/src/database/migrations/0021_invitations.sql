-- Invitations: an owner offers a membership with a link, and the account that accepts it becomes the member.
--
-- The e-mail address is only a label: it is unverified, so it identifies no account, and inviting an address that has an account
-- is no different from inviting one that has none. The table stores only the SHA-256 of the link's token; it becomes null when
-- the maker of the link is no longer allowed to invite. A used row stays until its link would have expired, so that the link
-- reports that it was used. The previous version neither reads nor writes this table.

create table invitations (
  id text collate "C" primary key,
  company_id text collate "C" references companies (id),
  organization_id text collate "C" references organizations (id),
  role text not null check (role in ('owner', 'admin') or role = 'viewer' and company_id is not null),
  -- As typed, and in the normal form for comparing addresses (features/people/users.ts).
  email text not null,
  address text collate "C" not null,
  name text,
  -- The id that an account created with the link gets.
  user_id text collate "C" not null,
  hash text collate "C" unique,
  -- The owner who made the latest link. Without that account the link is void.
  invited_by text collate "C" references users (id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  check (num_nonnulls(company_id, organization_id) = 1)
);
create unique index invitations_of_company on invitations (company_id, address) where company_id is not null and used_at is null;
create unique index invitations_of_organization on invitations (organization_id, address)
  where organization_id is not null and used_at is null;
create index invitations_invited_by on invitations (invited_by) where invited_by is not null;
create index invitations_used on invitations (expires_at) where used_at is not null;
