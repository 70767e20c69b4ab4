-- Whether an identity is of the provider that the operator has set up: each start notes it. Servers of the version before count all.
-- Oldest server: 0041

alter table identities add column is_current boolean not null default true;
