-- PostgreSQL renews the statistics of a table once a fiftieth of its rows has changed, not a tenth. Until they include a company, its plans expect a single record
-- from any index, and lists read all records of the company.
-- Oldest server: 0072
alter table outlets set (autovacuum_analyze_scale_factor = 0.02);
alter table stations set (autovacuum_analyze_scale_factor = 0.02);
alter table accounts set (autovacuum_analyze_scale_factor = 0.02);
alter table roles set (autovacuum_analyze_scale_factor = 0.02);
alter table categories set (autovacuum_analyze_scale_factor = 0.02);
alter table products set (autovacuum_analyze_scale_factor = 0.02);
alter table variants set (autovacuum_analyze_scale_factor = 0.02);
alter table inventories set (autovacuum_analyze_scale_factor = 0.02);
alter table inventory_history set (autovacuum_analyze_scale_factor = 0.02);
alter table catalog_visibilities set (autovacuum_analyze_scale_factor = 0.02);
alter table tax_tables set (autovacuum_analyze_scale_factor = 0.02);
alter table customers set (autovacuum_analyze_scale_factor = 0.02);
alter table sessions set (autovacuum_analyze_scale_factor = 0.02);
alter table cash_movements set (autovacuum_analyze_scale_factor = 0.02);
alter table orders set (autovacuum_analyze_scale_factor = 0.02);
alter table transactions set (autovacuum_analyze_scale_factor = 0.02);
alter table refunds set (autovacuum_analyze_scale_factor = 0.02);
alter table attachments set (autovacuum_analyze_scale_factor = 0.02);
alter table automation_triggers set (autovacuum_analyze_scale_factor = 0.02);
alter table closings set (autovacuum_analyze_scale_factor = 0.02);
alter table closing_records set (autovacuum_analyze_scale_factor = 0.02);
