-- Sums of reports by the number of their format: servers of two versions that sum in different ways keep their own. Servers before this version keep
-- theirs in report_cursors and report_sums, which this version does not use; a later migration drops them. What a column means is in 0072.
-- Oldest server: 0072

-- How far a company's feed was read. All writes of its sums of the same format lock this row.
create table sum_cursors (
  company_id text collate "C",
  format integer,
  position bigint,
  listed_from text collate "C" not null default '~',
  has_more boolean not null default true,
  has_unread boolean not null default true,
  read_at timestamptz not null default now(),
  asked_at timestamptz not null default now(),
  primary key (company_id, format)
) with (fillfactor = 50);

create table sum_buckets (
  company_id text collate "C" not null,
  format integer not null,
  source text collate "C" not null,
  size integer not null,
  number integer not null,
  chunk text collate "C" not null default '',
  is_dirty boolean not null,
  version uuid,
  whole text[],
  product text[],
  line text[],
  rate text[],
  customer text[],
  primary key (company_id, format, source, size, number, chunk)
) with (fillfactor = 70);
create index sum_buckets_dirty on sum_buckets (company_id, format, source, size, number) where is_dirty;

-- Companies that use reports: their sums are computed before the next request.
insert into sum_cursors (company_id, format, asked_at) select company_id, 1, asked_at from report_cursors;
