-- The sums of format 3, in which fees are rounded as their sale was and the tax of a refund is divided over its rates: those of companies that use reports
-- are computed before the next request.
-- Oldest server: 0072
insert into sum_cursors (company_id, format, asked_at) select company_id, 3, asked_at from sum_cursors where format = 2 on conflict do nothing;
