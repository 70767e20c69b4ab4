-- By product, goods that a customer gave in exchange count against what was refunded; they were added to it. Sums of refunds that contain some are computed again.
-- Oldest server: 0041
update report_buckets as stored set is_dirty = true
from (
  select distinct company_id, size, floor(date_part('epoch', coalesce(occurred_at, created_at)::timestamptz) / 900 / size)::int as number
  from refunds cross join unnest('{1, 4, 16, 64, 256, 1024, 4096}'::int[]) as of(size)
  where body::text ~ '"(total|subTotal|price)":"?-|"quantity":-'
) as touched
where stored.company_id = touched.company_id and stored.source = 'refunds' and stored.size = touched.size and stored.number = touched.number
  and not stored.is_dirty;
