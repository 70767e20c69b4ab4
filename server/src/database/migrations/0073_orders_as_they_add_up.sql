-- Reports read orders that do not say whether their prices contain the tax, or whose summary alone has their taxes, as they add up. Few records
-- say so without being read, so all sums are computed once more, the newest first, as after 0072.
-- Oldest server: 0041
update report_cursors set position = null where position is not null;
