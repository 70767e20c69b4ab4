-- Sums for reports, and how far each of them has come. A report of a company is a reader of its feed, as a trigger is: what
-- is summed is written by whoever reads, and never by a write itself.

-- One row for a report that was asked for of a company. The sums hold each record made at the frontier or later, as events
-- up to the position left it. Records from before the first look are added from their table, the newest first: the frontier
-- moves back in time until it is passed by none ('' in both; '~' lies behind every time). Who writes sums changes this row in
-- the same statement, and only while its version is the one that he read.
create table report_readers (
  company_id text collate "C" not null,
  report text collate "C" not null check (report in ('sales', 'orders', 'products')),
  version integer not null default 1,
  -- Older sums are removed; records are added from their table; all are there.
  state text collate "C" not null default 'clearing' check (state in ('clearing', 'building', 'ready')),
  -- By whose days products are summed.
  timezone text collate "C" not null,
  position bigint not null default 0,
  frontier_at text collate "C" not null default '~',
  frontier_id text collate "C" not null default '',
  -- When the position was as far as could be read; when the report was asked for, to the day.
  read_at timestamptz not null default now(),
  asked_at timestamptz not null default now(),
  primary key (company_id, report)
) with (fillfactor = 50);

-- Payments by quarter-hours since 1970 UTC, of which the days of every time zone are made. '' is a record without a currency.
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

-- Lines of orders by days of the company's time zone, counted from 1970-01-01, and by blocks of 4, 16 and 64 of them, so that
-- any range is made of a few.
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

-- What lines call products, for those that have no record here.
create table report_product_names (
  company_id text collate "C" not null,
  product_id text collate "C" not null,
  name text not null,
  primary key (company_id, product_id)
);
