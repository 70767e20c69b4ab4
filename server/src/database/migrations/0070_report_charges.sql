-- Sums of delivery and fees, and of the tips, delivery and fees in refunds. Servers of the previous version write the same rows without them. A row
-- has them if charges_summed_at is its summed_at, so all sums of orders and refunds are computed once more, without being dirty to those servers.
-- Oldest server: 0041
alter table report_buckets
  add column charges_summed_at timestamptz,
  add column whole_shipping numeric[],
  add column whole_fee numeric[],
  add column whole_refund_tip numeric[],
  add column whole_refund_shipping numeric[],
  add column whole_refund_fee numeric[],
  add column line_shipping numeric[],
  add column line_fee numeric[],
  add column line_refund_tip numeric[],
  add column line_refund_shipping numeric[],
  add column line_refund_fee numeric[],
  add column product_shipping numeric[],
  add column product_fee numeric[],
  add column product_refund_tip numeric[],
  add column product_refund_shipping numeric[],
  add column product_refund_fee numeric[],
  add column rate_shipping numeric[],
  add column rate_fee numeric[],
  add column rate_refund_tip numeric[],
  add column rate_refund_shipping numeric[],
  add column rate_refund_fee numeric[],
  add column customer_shipping numeric[],
  add column customer_fee numeric[],
  add column customer_refund_tip numeric[],
  add column customer_refund_shipping numeric[],
  add column customer_refund_fee numeric[];
-- Servers of the previous version use it too: what is unfinished to them is unfinished here.
drop index report_buckets_unfinished;
create index report_buckets_unfinished on report_buckets (company_id, source, size, number)
  where is_dirty or up_to is not null or (source <> 'payments' and coalesce(charges_summed_at <> summed_at, true));
