-- Imports of customers and orders, besides those of catalogues.
--
-- A server of the previous version refuses such a file when it is its turn to check it, and the import fails: it can be sent
-- again. It does not know the changes of such a run either, so the database refuses the end of its undo, which then fails and
-- can be repeated.

alter table imports
  add column kind text collate "C" not null default 'catalog' check (kind in ('catalog', 'customers', 'orders')),
  drop constraint imports_shop_check,
  add constraint imports_shop_check check (shop in ('woocommerce', 'shopify', 'square', 'plain')),
  add constraint imports_undo_of_kind check (kind = 'catalog' or undo is null or undo -> 'orders' is not null);
alter table import_changes
  drop constraint import_changes_kind_check,
  add constraint import_changes_kind_check check (kind in
    ('products', 'variants', 'categories', 'outlets', 'customers', 'orders', 'transactions', 'refunds'));

-- Imports as the API shows them.
create or replace view import_records as
select company_id, id, state, shop, iso_time(created_at) collate "C" as created_at, iso_time(updated_at) collate "C" as updated_at,
  json_strip_nulls(json_build_object(
    'id', id, 'fileName', file_name, 'bytes', bytes, 'kind', kind, 'shop', shop, 'outletId', outlet_id, 'state', state,
    'progress', round(progress::numeric, 3), 'summary', tally, 'rowsRefused', rows_refused, 'problem', problem,
    'stock', case when not with_stock then false end, 'repeats', repeats,
    'startedAt', iso_time(started_at), 'finishedAt', iso_time(finished_at),
    'undo', undo, 'undoneAt', iso_time(undone_at),
    'undoUntil', case when undo_until > now() and state in ('done', 'failed', 'cancelled') then iso_time(undo_until) end,
    'fileUntil', case when has_file and state not in ('checking', 'running', 'undoing')
      then iso_time(least(coalesce(file_until, kept_until), kept_until)) end,
    'keptUntil', iso_time(kept_until),
    'createdAt', iso_time(created_at), 'updatedAt', iso_time(updated_at), 'companyId', company_id
  )) as body,
  kind
from imports where state <> 'sending';
