-- Sums of refunds have the tax that was paid back. Those that are stored lack it, so all sums are computed once more, the newest first, as after 0076.
-- Oldest server: 0072
update report_cursors set position = null where position is not null;
