-- One table per resource. The record is in body, ready to be sent; columns for filters, searches and sorts are generated
-- from it, so that the two can never differ. An unset text is '' there and an unset number -Infinity: both sort first,
-- and no stored value equals them. Times are canonical ISO text, which sorts as time does. A collation of "C" sorts the
-- same on every server and survives an upgrade of its libraries. Of a long text
-- the column holds the first 2,000 characters, since all trigrams would cost seconds; the few longer texts are searched completely.

-- Number of outlets ever created, by company: the next one's sequenceNumber is one more.
create table outlet_counts (
  company_id text collate "C" primary key,
  outlets integer not null
);

create table outlets (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  sequence_number numeric not null generated always as (coalesce((body ->> 'sequenceNumber')::numeric, '-Infinity')) stored,
  tax_id text collate "C" not null generated always as (coalesce(body ->> 'taxId', '')) stored,
  processor_account_id text collate "C" not null generated always as (coalesce(body ->> 'processorAccountId', '')) stored,
  primary key (company_id, id)
);
create index outlets_created_at on outlets (company_id, created_at, id);
create index outlets_updated_at on outlets (company_id, updated_at, id);
create index outlets_name on outlets (company_id, name, id);
create index outlets_sequence_number on outlets (company_id, sequence_number, id);
create index outlets_by_tax_id on outlets (company_id, tax_id, created_at, id);
create index outlets_by_processor_account_id on outlets (company_id, processor_account_id, created_at, id);
create index outlets_search on outlets using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops);

create table stations (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  sequence_number numeric not null generated always as (coalesce((body ->> 'sequenceNumber')::numeric, '-Infinity')) stored,
  status text collate "C" not null generated always as (coalesce(body ->> 'status', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  device_id text collate "C" not null generated always as (coalesce(body ->> 'deviceId', '')) stored,
  processor_terminal_id text collate "C" not null generated always as (coalesce(body ->> 'processorTerminalId', '')) stored,
  serial_reader_id text collate "C" not null generated always as (coalesce(body ->> 'serialReaderId', '')) stored,
  primary key (company_id, id)
);
create index stations_created_at on stations (company_id, created_at, id);
create index stations_updated_at on stations (company_id, updated_at, id);
create index stations_name on stations (company_id, name, id);
create index stations_sequence_number on stations (company_id, sequence_number, id);
create index stations_by_status on stations (company_id, status, created_at, id);
create index stations_by_outlet_id on stations (company_id, outlet_id, created_at, id);
create index stations_by_device_id on stations (company_id, device_id, created_at, id);
create index stations_by_processor_terminal_id on stations (company_id, processor_terminal_id, created_at, id);
create index stations_by_serial_reader_id on stations (company_id, serial_reader_id, created_at, id);
create index stations_search on stations using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops);

create table categories (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  menu_order numeric not null generated always as (coalesce((body ->> 'menuOrder')::numeric, '-Infinity')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  source text collate "C" not null generated always as (coalesce(body ->> 'source', '')) stored,
  parent_id text collate "C" not null generated always as (coalesce(body ->> 'parentId', '')) stored,
  primary key (company_id, id)
);
create index categories_created_at on categories (company_id, created_at, id);
create index categories_updated_at on categories (company_id, updated_at, id);
create index categories_name on categories (company_id, name, id);
create index categories_menu_order on categories (company_id, menu_order, id);
create index categories_by_external_id on categories (company_id, external_id, created_at, id);
create index categories_by_source on categories (company_id, source, created_at, id);
create index categories_by_parent_id on categories (company_id, parent_id, created_at, id);
create index categories_search on categories using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops);

create table products (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  sku text collate "C" not null generated always as (coalesce(body ->> 'sku', '')) stored,
  min_price numeric not null generated always as (coalesce((body ->> 'minPrice')::numeric, '-Infinity')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  status text collate "C" not null generated always as (coalesce(body ->> 'status', '')) stored,
  source text collate "C" not null generated always as (coalesce(body ->> 'source', '')) stored,
  tax_table text collate "C" not null generated always as (coalesce(body ->> 'taxTable', '')) stored,
  description text collate "C" not null generated always as (left(coalesce(body ->> 'description', ''), 2000)) stored,
  tags jsonb generated always as ((body -> 'tags')::jsonb) stored,
  categories jsonb generated always as ((body -> 'categories')::jsonb) stored,
  outlets jsonb generated always as ((body -> 'outlets')::jsonb) stored,
  primary key (company_id, id)
);
create index products_created_at on products (company_id, created_at, id);
create index products_updated_at on products (company_id, updated_at, id);
create index products_name on products (company_id, name, id);
create index products_sku on products (company_id, sku, id);
create index products_min_price on products (company_id, min_price, id);
create index products_by_external_id on products (company_id, external_id, created_at, id);
create index products_by_status on products (company_id, status, created_at, id);
create index products_by_source on products (company_id, source, created_at, id);
create index products_by_tax_table on products (company_id, tax_table, created_at, id);
create index products_long_description on products (company_id) where length(description) = 2000;
create index products_search on products using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops, upper(sku collate "und-x-icu") gin_trgm_ops, upper(description collate "und-x-icu") gin_trgm_ops, tags, categories, outlets);

create table variants (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  sku text collate "C" not null generated always as (coalesce(body ->> 'sku', '')) stored,
  barcode text collate "C" not null generated always as (coalesce(body ->> 'barcode', '')) stored,
  price numeric not null generated always as (coalesce((body ->> 'price')::numeric, '-Infinity')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  product_id text collate "C" not null generated always as (coalesce(body ->> 'productId', '')) stored,
  primary key (company_id, id)
);
create index variants_created_at on variants (company_id, created_at, id);
create index variants_updated_at on variants (company_id, updated_at, id);
create index variants_sku on variants (company_id, sku, id);
create index variants_barcode on variants (company_id, barcode, id);
create index variants_price on variants (company_id, price, id);
create index variants_by_external_id on variants (company_id, external_id, created_at, id);
create index variants_by_product_id on variants (company_id, product_id, created_at, id);
create index variants_search on variants using gin (company_id, upper(sku collate "und-x-icu") gin_trgm_ops, upper(barcode collate "und-x-icu") gin_trgm_ops);

create table inventories (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  stock numeric not null generated always as (coalesce((body ->> 'stock')::numeric, '-Infinity')) stored,
  product_id text collate "C" not null generated always as (coalesce(body ->> 'productId', '')) stored,
  variant_id text collate "C" not null generated always as (coalesce(body ->> 'variantId', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  is_deleted boolean not null generated always as ((body ->> 'isDeleted')::boolean) stored,
  primary key (company_id, id)
);
create index inventories_created_at on inventories (company_id, created_at, id, is_deleted);
create index inventories_updated_at on inventories (company_id, updated_at, id, is_deleted);
create index inventories_stock on inventories (company_id, stock, id, is_deleted);
create index inventories_by_product_id on inventories (company_id, product_id, created_at, id, is_deleted);
create index inventories_by_variant_id on inventories (company_id, variant_id, created_at, id, is_deleted);
create index inventories_by_outlet_id on inventories (company_id, outlet_id, created_at, id, is_deleted);
create unique index inventories_live on inventories (company_id, variant_id, outlet_id) where not is_deleted;

create table catalog_visibilities (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  product_id text collate "C" not null generated always as (coalesce(body ->> 'productId', '')) stored,
  variant_id text collate "C" not null generated always as (coalesce(body ->> 'variantId', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  primary key (company_id, id)
);
create index catalog_visibilities_created_at on catalog_visibilities (company_id, created_at, id);
create index catalog_visibilities_updated_at on catalog_visibilities (company_id, updated_at, id);
create index catalog_visibilities_by_product_id on catalog_visibilities (company_id, product_id, created_at, id);
create index catalog_visibilities_by_variant_id on catalog_visibilities (company_id, variant_id, created_at, id);
create index catalog_visibilities_by_outlet_id on catalog_visibilities (company_id, outlet_id, created_at, id);
create unique index catalog_visibilities_one on catalog_visibilities (company_id, product_id, variant_id, outlet_id);

create table customers (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  email text collate "C" not null generated always as (coalesce(body ->> 'email', '')) stored,
  first_name text collate "C" not null generated always as (coalesce(body ->> 'firstName', '')) stored,
  last_name text collate "C" not null generated always as (coalesce(body ->> 'lastName', '')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  source text collate "C" not null generated always as (coalesce(body ->> 'source', '')) stored,
  phone text collate "C" not null generated always as (coalesce(body ->> 'phone', '')) stored,
  tags jsonb generated always as ((body -> 'tags')::jsonb) stored,
  is_deleted boolean not null generated always as ((body ->> 'isDeleted')::boolean) stored,
  primary key (company_id, id)
);
create index customers_created_at on customers (company_id, created_at, id, is_deleted);
create index customers_updated_at on customers (company_id, updated_at, id, is_deleted);
create index customers_email on customers (company_id, email, id, is_deleted);
create index customers_first_name on customers (company_id, first_name, id, is_deleted);
create index customers_last_name on customers (company_id, last_name, id, is_deleted);
create index customers_by_external_id on customers (company_id, external_id, created_at, id, is_deleted);
create index customers_by_outlet_id on customers (company_id, outlet_id, created_at, id, is_deleted);
create index customers_by_source on customers (company_id, source, created_at, id, is_deleted);
create index customers_search on customers using gin (company_id, upper(email collate "und-x-icu") gin_trgm_ops, upper(first_name collate "und-x-icu") gin_trgm_ops, upper(last_name collate "und-x-icu") gin_trgm_ops, upper(phone collate "und-x-icu") gin_trgm_ops, tags);

create table sessions (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  session_number text collate "C" not null generated always as (coalesce(body ->> 'sessionNumber', '')) stored,
  open_time text collate "C" not null generated always as (coalesce(body ->> 'openTime', '')) stored,
  close_time text collate "C" not null generated always as (coalesce(body ->> 'closeTime', '')) stored,
  station_id text collate "C" not null generated always as (coalesce(body ->> 'stationId', '')) stored,
  opened_by text collate "C" not null generated always as (coalesce(body ->> 'openedBy', '')) stored,
  closed_by text collate "C" not null generated always as (coalesce(body ->> 'closedBy', '')) stored,
  primary key (company_id, id)
);
create index sessions_created_at on sessions (company_id, created_at, id);
create index sessions_updated_at on sessions (company_id, updated_at, id);
create index sessions_session_number on sessions (company_id, session_number, id);
create index sessions_open_time on sessions (company_id, open_time, id);
create index sessions_close_time on sessions (company_id, close_time, id);
create index sessions_by_station_id on sessions (company_id, station_id, created_at, id);
create index sessions_by_opened_by on sessions (company_id, opened_by, created_at, id);
create index sessions_by_closed_by on sessions (company_id, closed_by, created_at, id);
create index sessions_search on sessions using gin (company_id, upper(session_number collate "und-x-icu") gin_trgm_ops);

create table orders (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  receipt_id text collate "C" not null generated always as (coalesce(body ->> 'receiptId', '')) stored,
  status text collate "C" not null generated always as (coalesce(body ->> 'status', '')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  source text collate "C" not null generated always as (coalesce(body ->> 'source', '')) stored,
  currency text collate "C" not null generated always as (coalesce(body ->> 'currency', '')) stored,
  employee text collate "C" not null generated always as (coalesce(body ->> 'employee', '')) stored,
  customer_id text collate "C" not null generated always as (coalesce(body ->> 'customerId', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  station_id text collate "C" not null generated always as (coalesce(body ->> 'stationId', '')) stored,
  session_id text collate "C" not null generated always as (coalesce(body ->> 'sessionId', '')) stored,
  customer_note text collate "C" not null generated always as (left(coalesce(body ->> 'customerNote', ''), 2000)) stored,
  primary key (company_id, id)
);
create index orders_created_at on orders (company_id, created_at, id);
create index orders_updated_at on orders (company_id, updated_at, id);
create index orders_receipt_id on orders (company_id, receipt_id, id);
create index orders_status on orders (company_id, status, id);
create index orders_by_external_id on orders (company_id, external_id, created_at, id);
create index orders_by_status on orders (company_id, status, created_at, id);
create index orders_by_source on orders (company_id, source, created_at, id);
create index orders_by_employee on orders (company_id, employee, created_at, id);
create index orders_by_customer_id on orders (company_id, customer_id, created_at, id);
create index orders_by_outlet_id on orders (company_id, outlet_id, created_at, id);
create index orders_by_station_id on orders (company_id, station_id, created_at, id);
create index orders_by_session_id on orders (company_id, session_id, created_at, id);
create index orders_long_customer_note on orders (company_id) where length(customer_note) = 2000;
create index orders_by_currency on orders (company_id, currency, created_at, id);
create index orders_search on orders using gin (company_id, upper(receipt_id collate "und-x-icu") gin_trgm_ops, upper(customer_note collate "und-x-icu") gin_trgm_ops);

create table transactions (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  amount numeric not null generated always as (coalesce((body ->> 'amount')::numeric, '-Infinity')) stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  type text collate "C" not null generated always as (coalesce(body ->> 'type', '')) stored,
  payment_method text collate "C" not null generated always as (coalesce(body ->> 'paymentMethod', '')) stored,
  currency text collate "C" not null generated always as (coalesce(body ->> 'currency', '')) stored,
  employee text collate "C" not null generated always as (coalesce(body ->> 'employee', '')) stored,
  session_id text collate "C" not null generated always as (coalesce(body ->> 'sessionId', '')) stored,
  order_id text collate "C" not null generated always as (coalesce(body ->> 'orderId', '')) stored,
  refund_id text collate "C" not null generated always as (coalesce(body ->> 'refundId', '')) stored,
  outlet_id text collate "C" not null generated always as (coalesce(body ->> 'outletId', '')) stored,
  receipt_id text collate "C" not null generated always as (coalesce(body ->> 'receiptId', '')) stored,
  notes text collate "C" not null generated always as (left(coalesce(body ->> 'notes', ''), 2000)) stored,
  primary key (company_id, id)
);
create index transactions_created_at on transactions (company_id, created_at, id);
create index transactions_updated_at on transactions (company_id, updated_at, id);
create index transactions_amount on transactions (company_id, amount, id);
create index transactions_by_external_id on transactions (company_id, external_id, created_at, id);
create index transactions_by_type on transactions (company_id, type, created_at, id);
create index transactions_by_payment_method on transactions (company_id, payment_method, created_at, id);
create index transactions_by_employee on transactions (company_id, employee, created_at, id);
create index transactions_by_session_id on transactions (company_id, session_id, created_at, id);
create index transactions_by_order_id on transactions (company_id, order_id, created_at, id);
create index transactions_by_refund_id on transactions (company_id, refund_id, created_at, id);
create index transactions_by_outlet_id on transactions (company_id, outlet_id, created_at, id);
create index transactions_long_notes on transactions (company_id) where length(notes) = 2000;
create index transactions_by_currency on transactions (company_id, currency, created_at, id);
create index transactions_search on transactions using gin (company_id, upper(receipt_id collate "und-x-icu") gin_trgm_ops, upper(notes collate "und-x-icu") gin_trgm_ops);

create table refunds (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  external_id text collate "C" not null generated always as (coalesce(body ->> 'externalId', '')) stored,
  currency text collate "C" not null generated always as (coalesce(body ->> 'currency', '')) stored,
  order_id text collate "C" not null generated always as (coalesce(body ->> 'orderId', '')) stored,
  session_id text collate "C" not null generated always as (coalesce(body ->> 'sessionId', '')) stored,
  refunded_by text collate "C" not null generated always as (coalesce(body ->> 'refundedBy', '')) stored,
  reason text collate "C" not null generated always as (left(coalesce(body ->> 'reason', ''), 2000)) stored,
  primary key (company_id, id)
);
create index refunds_created_at on refunds (company_id, created_at, id);
create index refunds_updated_at on refunds (company_id, updated_at, id);
create index refunds_by_external_id on refunds (company_id, external_id, created_at, id);
create index refunds_by_order_id on refunds (company_id, order_id, created_at, id);
create index refunds_by_session_id on refunds (company_id, session_id, created_at, id);
create index refunds_by_refunded_by on refunds (company_id, refunded_by, created_at, id);
create index refunds_long_reason on refunds (company_id) where length(reason) = 2000;
create index refunds_by_currency on refunds (company_id, currency, created_at, id);
create index refunds_search on refunds using gin (company_id, upper(reason collate "und-x-icu") gin_trgm_ops);

create table accounts (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  email text collate "C" not null generated always as (coalesce(body ->> 'email', '')) stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  phone text collate "C" not null generated always as (coalesce(body ->> 'phone', '')) stored,
  primary key (company_id, id)
);
create index accounts_created_at on accounts (company_id, created_at, id);
create index accounts_updated_at on accounts (company_id, updated_at, id);
create index accounts_email on accounts (company_id, email, id);
create index accounts_name on accounts (company_id, name, id);
create index accounts_search on accounts using gin (company_id, upper(email collate "und-x-icu") gin_trgm_ops, upper(name collate "und-x-icu") gin_trgm_ops, upper(phone collate "und-x-icu") gin_trgm_ops);

create table roles (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  primary key (company_id, id)
);
create index roles_created_at on roles (company_id, created_at, id);
create index roles_updated_at on roles (company_id, updated_at, id);
create index roles_name on roles (company_id, name, id);
create index roles_search on roles using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops);

create table attachments (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  name text collate "C" not null generated always as (coalesce(body ->> 'name', '')) stored,
  account_id text collate "C" not null generated always as (coalesce(body ->> 'accountId', '')) stored,
  primary key (company_id, id)
);
create index attachments_created_at on attachments (company_id, created_at, id);
create index attachments_updated_at on attachments (company_id, updated_at, id);
create index attachments_name on attachments (company_id, name, id);
create index attachments_by_account_id on attachments (company_id, account_id, created_at, id);
create index attachments_search on attachments using gin (company_id, upper(name collate "und-x-icu") gin_trgm_ops);

create table automation_triggers (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  trigger_type text collate "C" not null generated always as (coalesce(body ->> 'triggerType', '')) stored,
  trigger_id text collate "C" not null generated always as (coalesce(body ->> 'triggerId', '')) stored,
  custom_trigger_name text collate "C" not null generated always as (coalesce(body ->> 'customTriggerName', '')) stored,
  primary key (company_id, id)
);
create index automation_triggers_created_at on automation_triggers (company_id, created_at, id);
create index automation_triggers_updated_at on automation_triggers (company_id, updated_at, id);
create index automation_triggers_trigger_type on automation_triggers (company_id, trigger_type, id);
create index automation_triggers_by_trigger_id on automation_triggers (company_id, trigger_id, created_at, id);
create index automation_triggers_search on automation_triggers using gin (company_id, upper(trigger_type collate "und-x-icu") gin_trgm_ops, upper(custom_trigger_name collate "und-x-icu") gin_trgm_ops);
