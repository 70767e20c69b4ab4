-- Sums of orders have the rounding of cash, and those of refunds also the units that came back. Those that are stored lack both, so all sums are
-- computed once more, the newest first, as after 0077.
-- Oldest server: 0072
update report_cursors set position = null where position is not null;
