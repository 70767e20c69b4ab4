-- No statement searches for leases by their end. Without this index, a lease that is taken, renewed or given back changes no index of its trigger.
-- Oldest server: 0041

drop index automation_triggers_leased;
