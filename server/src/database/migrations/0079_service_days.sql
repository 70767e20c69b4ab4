-- The last 30 days on which the service ran, by the clock of the database, in the order in which they were counted. No week of events is
-- dropped that has one of them, so that a clock that jumps ahead drops none.
-- Oldest server: 0072
create table service_days (
  day date primary key,
  number integer not null
);

-- Days of weeks that have had events count as days on which the service ran. Where tables are distributed, sizes here are 0, and counting begins with this day.
insert into service_days (day, number)
select day, row_number() over (order by day) from (
  select right(relname, 8)::date + after as day
  from pg_inherits join pg_class on pg_class.oid = inhrelid cross join generate_series(0, 6) as after
  where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$' and pg_relation_size(pg_class.oid) > 0
) as days
where day <= (now() at time zone 'UTC')::date order by day desc limit 30;
