-- Sums for reports by the moment of a record (`occurredAt`, else `createdAt`), by more keys, and of blocks that have not ended.
--
-- Servers of the previous version keep their own sums by `createdAt` in report_cursors, report_sums and report_names. This version uses
-- none of those; a later migration drops them.

-- How far a company's feed was read. All writes of its sums lock this row.
create table report_feeds (
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

-- The sums of a source over `size` quarters of an hour since 1970 UTC, from quarter number * size on. Quarters (size 1) consist of
-- chunks; a chunk is named after the key of its first record (moment and id), the first one ''. Without a row there are no records.
create table report_buckets (
  company_id text collate "C" not null,
  source text collate "C" not null,
  size integer not null,
  number integer not null,
  chunk text collate "C" not null default '',
  is_dirty boolean not null,
  -- The quarter up to which a block is summed, if not to its end.
  up_to integer,
  -- Records of a chunk when it was last summed.
  records integer,
  -- Entries in arrays, because that takes a twentieth of the space of a row per entry; '' is a record without that member. First one
  -- entry per key of whole records, then one per key of their lines.
  whole_currency text[] collate "C",
  whole_outlet text[] collate "C",
  whole_station text[] collate "C",
  whole_session text[] collate "C",
  whole_employee text[] collate "C",
  whole_method text[] collate "C",
  whole_count numeric[],
  whole_gross numeric[],
  whole_discount numeric[],
  whole_net numeric[],
  whole_tax numeric[],
  whole_tip numeric[],
  whole_quantity numeric[],
  whole_refund numeric[],
  whole_refund_count numeric[],
  line_currency text[] collate "C",
  line_outlet text[] collate "C",
  line_product text[] collate "C",
  line_variant text[] collate "C",
  line_count numeric[],
  line_gross numeric[],
  line_discount numeric[],
  line_net numeric[],
  line_tax numeric[],
  line_tip numeric[],
  line_quantity numeric[],
  line_refund numeric[],
  primary key (company_id, source, size, number, chunk)
) with (fillfactor = 70);
-- Blocks that end before their last quarter are few: those that contained the present when they were summed.
create index report_buckets_unfinished on report_buckets (company_id, source, size, number) where is_dirty or up_to is not null;

-- Names of products in lines, for products without a record: the name in the newest line.
create table report_products_sold (
  company_id text collate "C" not null,
  product_id text collate "C" not null,
  name text not null,
  moment text collate "C" not null,
  primary key (company_id, product_id)
);
