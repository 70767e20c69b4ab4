-- A key of a company can be limited to some resources. Keys without this list have access to all, as before.
-- Oldest server: 0072
alter table api_keys add column resources text[];
