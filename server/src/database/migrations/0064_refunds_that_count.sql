-- Refunds count if their order does: those of pending, parked and cancelled orders are no longer in any sums. Sums that contain some are computed again.
-- Oldest server: 0041
update report_buckets as stored set is_dirty = true
from (
  select distinct refund.company_id, size, floor(date_part('epoch', coalesce(refund.occurred_at, refund.created_at)::timestamptz) / 900 / size)::int as number
  from refunds as refund
    join orders as sold on sold.company_id = refund.company_id and sold.id = refund.order_id and sold.status in ('pending', 'parked', 'cancelled')
    cross join unnest('{1, 4, 16, 64, 256, 1024, 4096}'::int[]) as of(size)
) as touched
where stored.company_id = touched.company_id and stored.source = 'refunds' and stored.size = touched.size and stored.number = touched.number
  and not stored.is_dirty;
