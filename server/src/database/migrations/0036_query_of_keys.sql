-- Idempotency keys are bound to the query, too. Servers of the previous version neither read nor write the column; the
-- responses that they keep have none, and are returned whatever the query is.
-- As JSON, empty for a request without parameters.
alter table idempotency_keys add column query text collate "C";
