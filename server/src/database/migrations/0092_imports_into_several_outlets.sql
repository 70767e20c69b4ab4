-- Imports of stock of several outlets, and of files that have only stock.
--
-- An import keeps the outlets that were chosen for locations of its file, and each of its changes all levels that it set. The columns
-- of a single level stay: changes of the previous version have it, and its servers still write it. An undo by such a server leaves
-- variants whose levels are in `levels`.
-- Oldest server: 0072
alter table imports
  add column outlets json,
  drop constraint imports_kind_check,
  add constraint imports_kind_check check (kind in ('catalog', 'stock', 'customers', 'orders'));
alter table import_changes add column levels json;
