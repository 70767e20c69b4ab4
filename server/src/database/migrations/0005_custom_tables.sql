-- A company's custom tables. Tables, fields, rows and values are records like any other. The content of a row is stored in its
-- values, and again in cells, by field: a page of rows is read from the rows alone. Both are written in one transaction.

create table custom_tables (
  company_id text collate "C" not null,
  id text collate "C" not null,
  -- Incremented by each change of the table or of one of its fields: shows whether a cached schema is current.
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (body ->> 'name') stored,
  primary key (company_id, id)
);
create index custom_tables_created_at on custom_tables (company_id, created_at, id);
create unique index custom_tables_one on custom_tables (company_id, name);

create table custom_table_fields (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  table_id text collate "C" not null generated always as (body -> 'tableId' ->> '$oid') stored,
  name text collate "C" not null generated always as (body ->> 'name') stored,
  linked text collate "C" not null generated always as (coalesce(body ->> 'referenceLinkedCollection', '')) stored,
  primary key (company_id, id)
);
create index custom_table_fields_created_at on custom_table_fields (company_id, created_at, id);
create index custom_table_fields_by_table_id on custom_table_fields (company_id, table_id, created_at, id);
create unique index custom_table_fields_one on custom_table_fields (company_id, table_id, name);
create index custom_table_fields_linked on custom_table_fields (company_id, linked, table_id) where linked <> '';

create table custom_table_rows (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  is_deleted boolean not null generated always as (coalesce((body ->> 'isDeleted')::boolean, false)) stored,
  table_id text collate "C" not null generated always as (body -> 'tableId' ->> '$oid') stored,
  -- {field id: value as text} of the row's live values. Cells of deleted fields may stay for a while.
  cells json not null default '{}',
  -- When a cell was last written; '' for never.
  cells_at text collate "C" not null default '',
  -- The customer that the row belongs to, and the field that refers to it: if the field is deleted, the link is void.
  linked_by text collate "C",
  linked_id text collate "C",
  primary key (company_id, id)
);
-- The last columns of these and of the values' indexes show whether a row still exists: for a million rows of a deleted
-- table, a list skips index entries only.
create index custom_table_rows_created_at on custom_table_rows (company_id, created_at, id, is_deleted, table_id);
create index custom_table_rows_by_table_id on custom_table_rows (company_id, table_id, created_at, id, is_deleted);
create unique index custom_table_rows_linked on custom_table_rows (company_id, linked_by, linked_id) where linked_by is not null and not is_deleted;

create table custom_table_values (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  is_deleted boolean not null generated always as (coalesce((body ->> 'isDeleted')::boolean, false)) stored,
  table_id text collate "C" not null generated always as (body -> 'tableId' ->> '$oid') stored,
  row_id text collate "C" not null generated always as (body -> 'rowId' ->> '$oid') stored,
  field_id text collate "C" not null generated always as (body -> 'fieldId' ->> '$oid') stored,
  primary key (company_id, id)
);
create index custom_table_values_created_at on custom_table_values (company_id, created_at, id, is_deleted, field_id);
create index custom_table_values_by_table_id on custom_table_values (company_id, table_id, created_at, id, is_deleted, field_id);
create index custom_table_values_by_row_id on custom_table_values (company_id, row_id, created_at, id, is_deleted, field_id);
create index custom_table_values_by_field_id on custom_table_values (company_id, field_id, is_deleted);
create unique index custom_table_values_live on custom_table_values (company_id, row_id, field_id) where not is_deleted;

-- Deleted tables and fields whose data still has to be removed in batches. field_id is '' for a table.
create table custom_purges (
  company_id text collate "C" not null,
  table_id text collate "C" not null,
  field_id text collate "C" not null default '',
  created_at timestamptz(3) not null,
  primary key (company_id, table_id, field_id)
);
