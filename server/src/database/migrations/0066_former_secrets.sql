-- The secret that a trigger had before, with which calls are signed too for a while: its receiver may be changed after the trigger.
-- Oldest server: 0041

alter table automation_triggers add column former_secret text, add column former_secret_until timestamptz;
