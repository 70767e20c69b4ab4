-- When a row's sums were computed. Together with the transaction that wrote the row it says whether sums in memory are still correct: after a
-- crash, PostgreSQL may use the number of a transaction that was not on disk again. Servers of the previous version leave it unset.
alter table report_buckets add column summed_at timestamptz;
