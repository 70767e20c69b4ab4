-- Invitations: an owner offers a membership by a link, and the account that accepts it becomes the member.
--
-- The e-mail address is a label: nobody has proved whose it is, so it names no account, and inviting one that has an account
-- is the same as inviting one that has none. Only the SHA-256 of the link's token is stored; it is null once the owner who
-- made the link may no longer give it away. A row that was used stays until its link would have expired, so that the link
-- can say so. The previous version neither reads nor writes this table.

create table invitations (
  id text collate "C" primary key,
  company_id text collate "C" references companies (id),
  organization_id text collate "C" references organizations (id),
  role text not null check (role in ('owner', 'admin') or role = 'viewer' and company_id is not null),
  -- As it was typed, and in the one form in which addresses are compared (features/people/address.ts).
  email text not null,
  address text collate "C" not null,
  name text,
  -- The id of the account that is made with the link, if one is.
  user_id text collate "C" not null,
  hash text collate "C" unique,
  -- The owner who made the latest link; without that account the link is void.
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
