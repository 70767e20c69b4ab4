-- Reports read lines with a subtotal beside another price, and taxes of lines whose rates only the summary names, as refunds do. Few records
-- say so without being read, so all sums are computed once more, the newest first, as after 0075.
-- Oldest server: 0072
update report_cursors set position = null where position is not null;
