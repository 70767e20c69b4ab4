-- The number under which a company is registered for tax, for its receipts. Servers of the previous version do not read it.
-- Oldest server: 0041

alter table companies add column tax_id text;
