-- Sums for reports, and the cursor of each. A report of a company reads its feed, like a trigger: the aggregator writes
-- the sums, and a write itself never does.

-- One row per requested report of a company. The sums contain each record created at the frontier or later, in its state after
-- the events up to the position. Records from before the first request are added from their table, the newest first: the
-- frontier moves back in time until none is before it ('' in both; '~' is after every time). A statement that writes sums also
-- updates this row, and only if its version is the one that was read.
create table report_readers (
  company_id text collate "C" not null,
  report text collate "C" not null check (report in ('sales', 'orders', 'products')),
  version integer not null default 1,
  -- Older sums are removed; records are added from their table; all are there.
  state text collate "C" not null default 'clearing' check (state in ('clearing', 'building', 'ready')),
  -- The time zone of the days by which products are summed.
  timezone text collate "C" not null,
  position bigint not null default 0,
  frontier_at text collate "C" not null default '~',
  frontier_id text collate "C" not null default '',
  -- When the position last reached the end of what could be read; the day on which the report was last requested.
  read_at timestamptz not null default now(),
  asked_at timestamptz not null default now(),
  primary key (company_id, report)
) with (fillfactor = 50);

-- Payments by quarter-hours since 1970 UTC: the days of every time zone consist of these. '' is a record without a currency.
create table report_sales (
  company_id text collate "C" not null,
  quarter integer not null,
  currency text collate "C" not null,
  payment_method text collate "C" not null,
  sales numeric not null,
  sales_count bigint not null,
  refunds numeric not null,
  refunds_count bigint not null,
  primary key (company_id, quarter, currency, payment_method)
) with (fillfactor = 70);

create table report_orders (
  company_id text collate "C" not null,
  quarter integer not null,
  orders bigint not null,
  primary key (company_id, quarter)
) with (fillfactor = 70);

-- Lines of orders by days of the company's time zone, counted from 1970-01-01, and by blocks of 4, 16 and 64 days, so that
-- any range consists of a few.
create table report_products (
  company_id text collate "C" not null,
  days smallint not null,
  first_day integer not null,
  currency text collate "C" not null,
  product_id text collate "C" not null,
  quantity numeric not null,
  total numeric not null,
  primary key (company_id, days, first_day, currency, product_id)
) with (fillfactor = 70);

-- Names of products in lines, for products without a record.
create table report_product_names (
  company_id text collate "C" not null,
  product_id text collate "C" not null,
  name text not null,
  primary key (company_id, product_id)
);
