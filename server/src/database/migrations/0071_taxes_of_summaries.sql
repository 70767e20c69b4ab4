-- Sums have the taxes and discounts that only the summary of an order names, and fees of refunds no longer have such taxes. Few records say so
-- without being read, so all sums of orders and refunds are computed once more, as after 0070; servers from before 0070 do not see it.
-- Oldest server: 0041
update report_buckets set charges_summed_at = null where source <> 'payments' and charges_summed_at is not null;
