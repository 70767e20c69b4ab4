-- The order whose sale, refund or void moved stock. Rows of servers of the previous version, and those from before, have none.
--
-- Building the index takes about a second for a million rows, during which no stock can be moved.
-- Oldest server: 0072
alter table inventory_history add column order_id text collate "C" not null default '';
create index inventory_history_by_order_id on inventory_history (company_id, order_id, created_at, id);
