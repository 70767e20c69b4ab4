-- The hour at which a company's days begin in reports. Servers of the previous version do not read it.
-- Oldest server: 0072
alter table companies add column day_start_hour smallint;
