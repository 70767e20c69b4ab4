-- Whether calls of a trigger carry records. False if the key that created it, or last changed its URL or type, had no permission
-- to read: then calls carry ids only. Existing triggers carry records, and so do triggers that a server of the previous version
-- creates meanwhile.
alter table automation_triggers add column carries_records boolean not null default true;
