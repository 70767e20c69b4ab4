-- Imports of the stock of several outlets, and of files that have only stock.
--
-- An import keeps the outlets that were chosen for locations of its file (`outlets`); each of its changes keeps all levels that it set
-- (`levels`). The columns of a single level stay: changes of the previous version have them, and its servers still write them. An undo
-- by such a server leaves the variants whose levels are in `levels` as they are.
-- Oldest server: 0072
alter table imports
  add column outlets json,
  drop constraint imports_kind_check,
  add constraint imports_kind_check check (kind in ('catalog', 'stock', 'customers', 'orders'));
alter table import_changes add column levels json;
