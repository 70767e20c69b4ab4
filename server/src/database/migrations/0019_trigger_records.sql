-- Whether calls of a trigger carry records. False where the key that made it, or that last changed its URL or its type, had no
-- permission to read: then calls carry ids only. Triggers from before this rule carry records, as do those that a server of
-- the version before makes meanwhile.
alter table automation_triggers add column carries_records boolean not null default true;
