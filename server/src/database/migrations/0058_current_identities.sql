-- Whether an identity belongs to the provider that the operator has set up; updated at each start. Servers of the previous version accept all.
-- Oldest server: 0041

alter table identities add column is_current boolean not null default true;
