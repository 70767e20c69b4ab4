-- What a record shows of other tables' rows, stored in the record's own row, so that a list reads nothing else.
-- Every write to those rows also updates this copy, in the same transaction.

-- Members of the variant as they are shown: its stock at each outlet, by outlet.
alter table variants add column shown json not null default '{"inventory":[]}';
-- Stock changes often: with free space in the page, the new version of a row stays there and no index changes.
alter table variants set (fillfactor = 60);
update variants as stored set shown = level.shown
from (
  select company_id, variant_id, ('{"inventory":[' || string_agg(
      '{"outletId":' || to_json(outlet_id)::text || ',"stock":' || stock || '}', ',' order by outlet_id) || ']}')::json as shown
  from inventories where not is_deleted group by company_id, variant_id
) as level
where stored.company_id = level.company_id and stored.id = level.variant_id;

-- A shape is a revision of a table's column names: it changes when a column is renamed or removed. `since` is
-- the shape in which a field was created, `former` its names up to some shape: [[name, shape], …].
alter table custom_tables add column shape integer not null default 1;
alter table custom_table_fields add column since integer not null default 1, add column former json not null default '[]';

-- What the customer shows of its live rows of custom tables: {"link shape,link shape": [{column: value}, {column: value}]};
-- a link is the field that refers to the customer. Columns are in the order of their fields, as they are shown, so that
-- most lists need not parse them; null if there are none.
alter table customers add column shown json;
with part as (
  select own.company_id, own.linked_id, own.linked_by, tables.shape, '{' || coalesce((
      select string_agg(to_json(field.name)::text || ':' || case when field.body ->> 'type' in ('number', 'boolean')
        then cell.value else to_json(cell.value)::text end, ',' order by field.created_at, field.id)
      from json_each_text(own.cells) as cell
      join custom_table_fields as field on field.company_id = own.company_id and field.id = cell.key and field.id <> own.linked_by
    ), '') || '}' as columns
  from custom_table_rows as own
  join custom_table_fields as link on link.company_id = own.company_id and link.id = own.linked_by
  join custom_tables as tables on tables.company_id = own.company_id and tables.id = link.table_id
  where own.linked_by is not null and not own.is_deleted
)
update customers as stored set shown = linked.shown
from (
  select company_id, linked_id, ('{"' || string_agg(linked_by || ' ' || shape, ',' order by linked_by) || '":['
    || string_agg(columns, ',' order by linked_by) || ']}')::json as shown
  from part group by company_id, linked_id
) as linked
where stored.company_id = linked.company_id and stored.id = linked.linked_id;

-- Incremented by each change of any custom table or field of a company: shows whether a cached schema is current.
create table custom_structures (
  company_id text collate "C" primary key,
  version integer not null
);
