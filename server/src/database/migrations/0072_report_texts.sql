-- Sums of reports as texts that servers write and read whole, in place of arrays whose entries PostgreSQL adds up. Servers of the previous version
-- keep theirs in report_feeds, report_buckets and report_products_sold, which this version does not use; a later migration drops them.
-- Oldest server: 0041

-- How far a company's feed was read. All writes of its sums lock this row.
create table report_cursors (
  company_id text collate "C" primary key,
  -- Null: older sums are still to be removed.
  position bigint,
  -- Quarter-hours before this moment have not been searched for yet: '~' is after every moment, '' before.
  listed_from text collate "C" not null default '~',
  -- Whether the last refresh left something to do, and whether that includes events that it could read.
  has_more boolean not null default true,
  has_unread boolean not null default true,
  -- When the position last reached the end of what can be read; the day on which a report was last requested.
  read_at timestamptz not null default now(),
  asked_at timestamptz not null default now()
) with (fillfactor = 50);

-- The sums of a source over `size` quarters of an hour since 1970 UTC, from quarter number * size on. Quarters (size 1) consist of
-- chunks; a chunk is named after the key of its first record (moment and id), the first one ''. Without a row there are no records.
create table report_sums (
  company_id text collate "C" not null,
  source text collate "C" not null,
  size integer not null,
  number integer not null,
  chunk text collate "C" not null default '',
  is_dirty boolean not null,
  -- Another one each time that the row is summed; null if it never was.
  version uuid,
  -- Of each facet, texts of entries: JSON of columns of keys and sums.
  whole text[],
  product text[],
  line text[],
  rate text[],
  customer text[],
  primary key (company_id, source, size, number, chunk)
) with (fillfactor = 70);
create index report_sums_dirty on report_sums (company_id, source, size, number) where is_dirty;

-- Companies that use reports: their sums are computed before the next request.
insert into report_cursors (company_id, asked_at) select company_id, asked_at from report_feeds;
