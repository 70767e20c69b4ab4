-- Drops tables that neither this version nor the previous one reads or writes: counts for plan limits (until 0024), and earlier sums for reports (until 0029).
-- Oldest server: 0041
drop table plan_counts, report_readers, report_sales, report_orders, report_products, report_product_names, report_cursors, report_sums, report_names;
