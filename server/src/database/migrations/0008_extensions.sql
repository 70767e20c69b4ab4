-- What organizations publish: their profile, and their extensions.

-- An alias generated from a name: lower-case ASCII, letters without their marks, words joined by hyphens.
create function alias_of(name text) returns text
  language sql immutable parallel safe
  return coalesce(nullif(trim('-' from left(trim('-' from
    regexp_replace(
      regexp_replace(lower(normalize(name, NFKD) collate "und-x-icu"), '[\u0300-\u036f]', '', 'g') collate "C",
      '[^a-z0-9]+', '-', 'g')), 50)), ''), 'organization');

-- The previous version creates organizations without one while it still runs: their id is used instead.
alter table organizations add column alias text collate "C";
alter table organizations add column logo text;
create unique index organizations_alias on organizations (coalesce(alias, id));

-- A free alias: the name's own, or with the number after the highest taken one appended; null if that would
-- have more than 63 characters.
create function free_alias(name text) returns text
  language sql stable
  return (
    select case when length(numbered) <= 63 then numbered end
    from (select alias_of(name) collate "C" as base) as made,
    lateral (
      select case when exists (select 1 from organizations where coalesce(alias, id) = base)
        then base || '-' || (
          select coalesce(max(substr(coalesce(alias, id), length(base) + 2)::numeric), 1) + 1
          from organizations
          where coalesce(alias, id) > base || '-' and coalesce(alias, id) < base || '.'
            and substr(coalesce(alias, id), length(base) + 2) ~ '^[1-9][0-9]*$')
        else base end as numbered
    ) as free
  );

do $$
declare found record;
begin
  for found in select id, name from organizations where alias is null order by created_at, id loop
    update organizations set alias = free_alias(found.name) where id = found.id;
  end loop;
end $$;

-- The record is in body, ready to be sent. organization_order is the name of its organization in the form that orders the
-- published list; every change of that name writes it. The first 250 characters of a name count, so that an index entry
-- can hold two. An upgrade of ICU's rules needs a reindex of extensions_published.
create table extensions (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  status text collate "C" not null generated always as (body ->> 'status') stored,
  category text collate "C" not null generated always as (coalesce(body ->> 'category', '')) stored,
  name text collate "C" not null generated always as (body ->> 'name') stored,
  short_description text collate "C" not null generated always as (left(coalesce(body ->> 'shortDescription', ''), 2000)) stored,
  description text collate "C" not null generated always as (left(coalesce(body ->> 'description', ''), 2000)) stored,
  organization_order text collate "und-x-icu" not null,
  name_order text collate "und-x-icu" not null generated always as (left(upper((body ->> 'name') collate "und-x-icu"), 250)) stored,
  primary key (organization_id, id)
);
create index extensions_created_at on extensions (organization_id, created_at, id);
create index extensions_by_status on extensions (organization_id, status, created_at, id);
create index extensions_by_category on extensions (organization_id, category, created_at, id);
create index extensions_published on extensions (organization_order, name_order, id) include (organization_id) where status = 'public';
create index extensions_published_by_category on extensions (category, organization_order, name_order, id) where status = 'public';
create index extensions_published_id on extensions (id) where status = 'public';
create index extensions_long_text on extensions (organization_id) where length(short_description) = 2000 or length(description) = 2000;
create index extensions_search on extensions using gin (organization_id, upper(name collate "und-x-icu") gin_trgm_ops,
  upper(short_description collate "und-x-icu") gin_trgm_ops, upper(description collate "und-x-icu") gin_trgm_ops);

-- The version of the published list: replaced by each change of what it shows, in the change's transaction.
create table published_list (
  is_only boolean primary key default true check (is_only),
  state text collate "C" not null
);
insert into published_list (state) values (md5(random()::text));
