-- Finds the orders that are not paid, or only in part. Few are, so the index is small; building it reads all orders, about three
-- seconds for a million, during which orders cannot be written to.
-- Oldest server: 0041
create index orders_to_be_paid on orders (company_id, created_at, id) where body::text ~ '"paymentStatus":"(unpaid|partially-paid)"';
