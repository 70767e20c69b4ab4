-- An organization's data about its companies, and the columns that find them.

-- Null for a company that was onboarded without one.
alter table companies alter column currency drop not null;
alter table companies add column phone text;
alter table companies add column industry text;
alter table companies add column logo text;
-- Stored as sent, including unknown members.
alter table companies add column address json;
alter table companies add column external_id text collate "C";
-- The reason that a suspended company's keys get; the status decides whether a company is suspended.
alter table companies add column suspended_reason text;
create unique index companies_external_id on companies (organization_id, external_id) where external_id is not null;
create index companies_by_status on companies (organization_id, status, created_at, id);
create index companies_name on companies (organization_id, name collate "C", id);
create index companies_search on companies using gin (organization_id, upper(name collate "und-x-icu") gin_trgm_ops);

-- The plan that a company gets by default.
create unique index plans_default on plans (organization_id) where is_default;
