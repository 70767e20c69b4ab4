-- What a record shows of other tables' rows. It stands in the record's own row, so that a list reads nothing else, and is
-- written by whoever writes those rows, in the same transaction.

-- Members of the variant as they are shown: its stock at each outlet, by outlet.
alter table variants add column shown json not null default '{"inventory":[]}';
-- Stock changes often: with room left in its page a row is written anew there, and no index has to be told.
alter table variants set (fillfactor = 60);
update variants as stored set shown = level.shown
from (
  select company_id, variant_id, ('{"inventory":[' || string_agg(
      '{"outletId":' || to_json(outlet_id)::text || ',"stock":' || stock || '}', ',' order by outlet_id) || ']}')::json as shown
  from inventories where not is_deleted group by company_id, variant_id
) as level
where stored.company_id = level.company_id and stored.id = level.variant_id;

-- {field that refers to the customer: cells of the row}, of the live rows of custom tables that belong to the customer.
alter table customers add column shown json;
update customers as stored set shown = linked.shown
from (
  select company_id, linked_id, json_object_agg(linked_by, cells) as shown
  from custom_table_rows where linked_by is not null and not is_deleted group by company_id, linked_id
) as linked
where stored.company_id = linked.company_id and stored.id = linked.linked_id;

-- Grows with each change of any custom table or field of a company: who remembers them sees whether they still hold.
create table custom_structures (
  company_id text collate "C" primary key,
  version integer not null
);
