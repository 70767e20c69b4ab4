-- Product, variant and outlet together identify stock: one live record for each product, variant and outlet. Before, there was one for each variant
-- and outlet, so a second product with the variant id "default" overwrote the level of the first.
--
-- While servers of the previous version still run:
--   - Their statements work unchanged. They insert with "on conflict do nothing", which names no index; they look up levels by
--     variant and outlet, the leading columns of the new index; and they write a row only if its version is the one they read.
--   - An existing variant keeps one live level at an outlet, whichever server writes: a trigger rejects a second one, and they
--     answer 409 as before.
--   - They support only one level of a variant id at an outlet. If servers of this version have created several, for several
--     products, they use the one with the highest id for any product: set-levels and adjust change that level, or answer 500
--     and write nothing if the level would become the second one of its product.
--   - They accept a productId that is not the variant's, and do not update levels when a variant changes its product. The next
--     set-levels or adjust by a server of this version sets the variant's product on such a level.

-- Locks the table first, so that no other transaction waits here while it holds a row that the migration changes. Requests for
-- stock wait until the migration ends; docs/upgrades.md says how long.
lock table inventories in access exclusive mode;

-- Sets the variant's product on live levels of existing variants, as the next set-levels would; all others stay unchanged.
-- The old index allowed one of them for a variant and outlet, so there are no conflicts. A server that has read such a level
-- reads it again before it writes, since its version has changed.
update inventories as level set version = level.version + 1, body = (
  select '{' || string_agg(to_json(member.key)::text || ':' || member.value, ',' order by member.place) || '}'
  from (
    select key, place, case key
        when 'updatedAt' then to_json(greatest(level.updated_at, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        else value
      end::text as value
    from json_each(level.body) with ordinality as own(key, value, place) where key <> 'productId'
    -- After the id, the place at which the API shows it.
    union all select 'productId', 1.5, to_json(variant.product_id)::text
  ) as member
)::json
from variants as variant
where variant.company_id = level.company_id and variant.id = level.variant_id and variant.product_id <> ''
  and variant.product_id <> level.product_id and not level.is_deleted;

-- A record without productId has '' there, and so is a tuple of its own.
create unique index inventories_tuple on inventories (company_id, variant_id, outlet_id, product_id) nulls not distinct
  where not is_deleted;
drop index inventories_live;

-- Enforces what no unique index can: an existing variant has one live level at an outlet. Every write of a level locks its
-- variant first, so two transactions cannot check at the same time. The trigger checks only new or moved levels, so it does not
-- slow down sales.
create function inventories_one_level() returns trigger language plpgsql as $$
begin
  if exists (select from variants where company_id = new.company_id and id = new.variant_id)
    -- The bound and the order match the index, so that PostgreSQL never prefers another index.
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
