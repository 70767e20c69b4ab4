-- Sums for reports that are summed again from the tables where the feed says that something changed.
--
-- Servers of the previous version do not know these tables, and keep their own: report_readers, report_sales, report_orders,
-- report_products, report_product_names. This version uses none of those; a later migration drops them.

-- How far a company's feed was read. All writes of its sums lock this row.
create table report_cursors (
  company_id text collate "C" primary key,
  -- Null: older sums are still to be removed.
  position bigint,
  -- Quarter-hours before this moment have not been searched for yet: '~' is after every moment, '' before.
  listed_from text collate "C" not null default '~',
  -- Whether the last refresh left something to do.
  has_more boolean not null default true,
  -- When the position last reached the end of what can be read; the day on which a report was last requested.
  read_at timestamptz not null default now(),
  asked_at timestamptz not null default now()
) with (fillfactor = 50);

-- The sums of a report over `size` quarters of an hour since 1970 UTC, from quarter number * size on. Quarters (size 1) consist of
-- chunks; a chunk is named after the key of its first record (moment and id), the first one ''. Without a row there are no records.
create table report_sums (
  company_id text collate "C" not null,
  report text collate "C" not null,
  size integer not null,
  number integer not null,
  chunk text collate "C" not null default '',
  is_dirty boolean not null,
  -- Records of a chunk when it was last summed.
  records integer,
  -- One entry per currency ('' is a record without one) and item: payment method or product. In arrays, because that takes
  -- a twentieth of the space of a row per entry.
  currencies text[] collate "C",
  items text[] collate "C",
  amounts numeric[],
  counts numeric[],
  refunds numeric[],
  refund_counts numeric[],
  primary key (company_id, report, size, number, chunk)
) with (fillfactor = 70);
create index report_sums_dirty on report_sums (company_id, report, size, number) where is_dirty;

-- Names of products in lines, for products without a record: the name in the newest line.
create table report_names (
  company_id text collate "C" not null,
  product_id text collate "C" not null,
  name text not null,
  moment text collate "C" not null,
  primary key (company_id, product_id)
);
