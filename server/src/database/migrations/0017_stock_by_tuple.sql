-- Stock is named by the whole tuple: one live record for each product, variant and outlet. Until now one for each variant and
-- outlet, so that a second product with the variant id "default" overwrote the level of the first one.
--
-- While servers of the version before still run:
--   - Their statements work as they are. They insert with "on conflict do nothing", which names no index; they look levels up by
--     variant and outlet, which the new index leads with; and they write a row only while its version is the one they read.
--   - A variant that exists keeps one live level at an outlet whichever server writes: a trigger refuses a second one, which
--     they answer with 409 as before.
--   - They know one level of a variant id at an outlet. Where servers of this version have made several, for several products,
--     they take the one with the highest id for whichever product is named: set-levels and adjust then change that level, or
--     answer 500 and write nothing where the level would become a second one of its product.
--   - They store a productId other than the variant's, and leave levels behind when a variant changes its product. The next
--     set-levels or adjust by a server of this version gives such a level its variant's product again.

-- First of all and for all of it, so that nobody waits here with a row that is to be changed. Whoever asks for stock waits
-- meanwhile; bench/stock-migration.ts shows for how long.
lock table inventories in access exclusive mode;

-- Live levels of variants that exist get their variant's product, as they would by the next set-levels; all others stay.
-- The old index allowed one of them for a variant and outlet, so none meets another. A server that has read one of them
-- reads it again before it writes, since the version is another one.
update inventories as level set version = level.version + 1, body = (
  select '{' || string_agg(to_json(member.key)::text || ':' || member.value, ',' order by member.place) || '}'
  from (
    select key, place, case key
        when 'updatedAt' then to_json(greatest(level.updated_at, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        else value
      end::text as value
    from json_each(level.body) with ordinality as own(key, value, place) where key <> 'productId'
    -- Behind the id, where it is shown.
    union all select 'productId', 1.5, to_json(variant.product_id)::text
  ) as member
)::json
from variants as variant
where variant.company_id = level.company_id and variant.id = level.variant_id and variant.product_id <> ''
  and variant.product_id <> level.product_id and not level.is_deleted;

-- A record without productId has '' there: it is a tuple of its own.
create unique index inventories_tuple on inventories (company_id, variant_id, outlet_id, product_id) nulls not distinct
  where not is_deleted;
drop index inventories_live;

-- What no unique index can say: that a variant which exists has one live level at an outlet. Whoever writes a level has its
-- variant held, so that no two of them look at the same moment. Only what gives a level another place is looked at, and so no
-- sale is.
create function inventories_one_level() returns trigger language plpgsql as $$
begin
  if exists (select from variants where company_id = new.company_id and id = new.variant_id)
    -- The bound and the order are those of the index, so that no other one is ever thought better.
    and exists (select from (
        select variant_id, outlet_id from inventories
        where company_id = new.company_id and (variant_id, outlet_id, product_id) >= (new.variant_id, new.outlet_id, '')
          and id <> new.id and not is_deleted
        order by variant_id, outlet_id, product_id limit 1
      ) as other where other.variant_id = new.variant_id and other.outlet_id = new.outlet_id) then
    raise unique_violation using constraint = 'inventories_one_level', table = 'inventories',
      message = 'The variant has a live inventory record at the outlet.';
  end if;
  return null;
end $$;
create trigger inventories_one_level_made after insert on inventories for each row
  when (not new.is_deleted) execute function inventories_one_level();
create trigger inventories_one_level_moved after update on inventories for each row
  when (not new.is_deleted and (old.is_deleted, old.variant_id, old.outlet_id) is distinct from (new.is_deleted, new.variant_id, new.outlet_id))
  execute function inventories_one_level();
