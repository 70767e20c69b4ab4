-- The former secret of a trigger: for a while calls are signed with it too, since the receiver may be changed after the trigger.
-- Oldest server: 0041

alter table automation_triggers add column former_secret text, add column former_secret_until timestamptz;
