-- Changes of imports can be on the node of their company, with the records that they changed. A trigger deletes them with their import, as the foreign key did.
-- Oldest server: 0041

alter table import_changes drop constraint import_changes_company_id_import_id_fkey;

create function delete_import_changes() returns trigger language plpgsql as $$
begin
  delete from import_changes where company_id = old.company_id and import_id = old.id;
  return null;
end $$;
create trigger imports_changes_deleted after delete on imports
  for each row execute function delete_import_changes();
