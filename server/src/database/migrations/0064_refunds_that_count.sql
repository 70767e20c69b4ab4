-- Refunds count with their order: those of pending, parked and cancelled orders are in no sums any more, so the sums of refunds are computed again.
-- Oldest server: 0041
update report_buckets set is_dirty = true where source = 'refunds' and not is_dirty;
