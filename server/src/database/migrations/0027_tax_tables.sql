-- Tax tables: the rates of a sale whose lines name none. The previous version neither reads nor writes this table.

create table tax_tables (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  product_types jsonb generated always as ((body -> 'productTypes')::jsonb) stored,
  outlet_ids jsonb generated always as ((body -> 'outletIds')::jsonb) stored,
  primary key (company_id, id)
);
create index tax_tables_created_at on tax_tables (company_id, created_at, id);
create index tax_tables_updated_at on tax_tables (company_id, updated_at, id);
create index tax_tables_name on tax_tables (company_id, name, id);
create index tax_tables_search on tax_tables using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops, product_types, outlet_ids);
