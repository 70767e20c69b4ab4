-- The sums of format 2, in which a line with several tax rates comes back at each of them: those of companies that use reports are computed before the next request.
-- Oldest server: 0072
insert into sum_cursors (company_id, format, asked_at) select company_id, 2, asked_at from sum_cursors where format = 1 on conflict do nothing;
