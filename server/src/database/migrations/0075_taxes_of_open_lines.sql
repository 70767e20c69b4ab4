-- Reports read the taxes of lines that name rates without amounts, or no rates beside those of the summary, as refunds do. Few records say so
-- without being read, so all sums are computed once more, the newest first, as after 0073.
-- Oldest server: 0072
update report_cursors set position = null where position is not null;
