-- Cash movements are found by their number in another system, so that a till can send one again and it counts once. No row has a number
-- yet, and a till has few movements a day, so the index is built at once.
-- Oldest server: 0072
alter table cash_movements add column external_id text collate "C" not null default '';
create function cash_movements_external_id() returns trigger language plpgsql as $$ begin new.external_id := coalesce(new.body ->> 'externalId', ''); return new; end $$;
create trigger cash_movements_external_id before insert or update of body on cash_movements for each row execute function cash_movements_external_id();
create index cash_movements_by_external_id on cash_movements (company_id, external_id, created_at, id);
