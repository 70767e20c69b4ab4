-- Pieces of files that are in an object store: the object's name is stored before the object is written; after its row is deleted, it is noted until it is removed.
-- Oldest server: 0041

alter table attachment_file_pieces alter column bytes drop not null;
-- The bucket and the key of the object that has the bytes.
alter table attachment_file_pieces add column object text collate "C";
alter table attachment_file_pieces add constraint attachment_file_pieces_place check (num_nonnulls(bytes, object) = 1) not valid;

-- They belong to no company: when a company is deleted they stay, until they are removed.
create table abandoned_objects (
  name text collate "C" primary key,
  due_at timestamptz not null
);
create index abandoned_objects_due on abandoned_objects (due_at);

-- Each deletion of a piece abandons its object. For a minute, a request that writes the object may still be running.
create function abandon_object() returns trigger language plpgsql as $$
begin
  insert into abandoned_objects (name, due_at) values (old.object, now() + interval '1 minute') on conflict do nothing;
  return null;
end $$;
create trigger attachment_file_pieces_abandoned after delete on attachment_file_pieces
  for each row when (old.object is not null) execute function abandon_object();
