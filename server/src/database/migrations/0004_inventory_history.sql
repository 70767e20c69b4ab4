-- The moves of stock of managed variants, entry by entry; never changed, never removed. Times of one variant at one
-- outlet never decrease, so that (created_at, id) is the order of its moves.
create table inventory_history (
  company_id text collate "C" not null,
  id text collate "C" not null,
  created_at text collate "C" not null,
  inventory_id text collate "C" not null,
  product_id text collate "C" not null,
  variant_id text collate "C" not null,
  outlet_id text collate "C" not null,
  kind text collate "C" not null,
  -- JSON as the API shows it.
  body json not null,
  primary key (company_id, id)
);
create index inventory_history_created_at on inventory_history (company_id, created_at, id);
create index inventory_history_by_level on inventory_history (company_id, variant_id, outlet_id, created_at, id);
create index inventory_history_by_variant_id on inventory_history (company_id, variant_id, created_at, id);
create index inventory_history_by_outlet_id on inventory_history (company_id, outlet_id, created_at, id);
create index inventory_history_by_product_id on inventory_history (company_id, product_id, created_at, id);
create index inventory_history_by_inventory_id on inventory_history (company_id, inventory_id, created_at, id);
create index inventory_history_by_kind on inventory_history (company_id, kind, created_at, id);
