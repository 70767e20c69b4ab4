-- Drops the tables in which servers before 0072 keep sums of reports. This version and the previous one neither read nor write them.
-- Oldest server: 0072
drop table report_feeds, report_buckets, report_products_sold;
