-- When a sale, a payment or a refund happened, if that differs from when its record was created. Only the statements of the service write it:
-- servers of the previous version do not know the member, and leave the column null.
--
-- Each index takes about a second for a million records, during which these tables cannot be written to.
alter table orders add column occurred_at text collate "C";
alter table transactions add column occurred_at text collate "C";
alter table refunds add column occurred_at text collate "C";
create index orders_occurred_at on orders (company_id, coalesce(occurred_at, created_at), id);
create index transactions_occurred_at on transactions (company_id, coalesce(occurred_at, created_at), id);
create index refunds_occurred_at on refunds (company_id, coalesce(occurred_at, created_at), id);

-- Settings of a company. Existing companies keep several open sessions on one station.
alter table companies add column one_open_session boolean not null default false;
alter table companies alter column one_open_session set default true;
-- Whether taxes are rounded per line or per receipt: 'line' or 'receipt'.
alter table companies add column tax_rounding text collate "C" not null default 'line';
-- The unit to which cash is rounded, such as '0.05'; null if cash is not rounded.
alter table companies add column cash_rounding text collate "C";
