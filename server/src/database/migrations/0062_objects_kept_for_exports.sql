-- Objects of deleted pieces are removed a day later: an export that began earlier may still read them. No request still writes them then.
-- Oldest server: 0041

create or replace function abandon_object() returns trigger language plpgsql as $$
begin
  insert into abandoned_objects (name, due_at) values (old.object, now() + interval '1 day') on conflict do nothing;
  return null;
end $$;
