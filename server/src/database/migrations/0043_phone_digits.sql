-- Phone numbers by their digits, for the search: a number is found however it is written. The zeros before a country's code are left out.
--
-- Building them takes some four seconds for a million customers, during which these tables cannot be written to. Servers of the previous
-- version do not use them.
-- Oldest server: 0041
create index customers_phone_digits on customers (company_id, regexp_replace(phone, '^[^0-9]*00|[^0-9]', '', 'g'), id) where phone <> '';
create index accounts_phone_digits on accounts (company_id, regexp_replace(phone, '^[^0-9]*00|[^0-9]', '', 'g'), id) where phone <> '';
