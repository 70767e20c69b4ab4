-- Sums of lines in all outlets together. Existing sums lack them, and are computed again.
truncate report_feeds, report_buckets;
alter table report_buckets
  add column product_currency text[] collate "C",
  add column product_product text[] collate "C",
  add column product_variant text[] collate "C",
  add column product_count numeric[],
  add column product_gross numeric[],
  add column product_discount numeric[],
  add column product_net numeric[],
  add column product_tax numeric[],
  add column product_tip numeric[],
  add column product_quantity numeric[],
  add column product_refund numeric[];
