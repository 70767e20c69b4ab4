-- Events by the record that they are about: its history, without a scan of the log.
--
-- Building it takes some ten seconds for a million events, during which nothing can be written. Servers of the previous version do not
-- use it.
-- Oldest server: 0041
create index events_of_record on events (company_id, record_id, sequence);
