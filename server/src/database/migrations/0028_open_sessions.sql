-- Finds the sessions that are open at a station. Sessions cannot be written while it is built: well under a second for 100,000.
create index sessions_open on sessions (company_id, station_id) where close_time = '';
