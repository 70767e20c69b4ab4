-- Texts with two letters or digits of ASCII between two other characters, such as CJK: a search for such a pair finds all
-- others by the trigrams that the pair has with its neighbours. Hardly any text is in these indexes.
--
-- Building them takes some two seconds for a million records, during which these tables cannot be written to. Servers of the
-- previous version do not use them.
create index outlets_pairs on outlets (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index stations_pairs on stations (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index accounts_pairs on accounts (company_id) where octet_length(email) <> length(email) and upper(email collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(phone) <> length(phone) and upper(phone collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index roles_pairs on roles (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index categories_pairs on categories (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index products_pairs on products (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(sku) <> length(sku) and upper(sku collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(description) <> length(description) and upper(description collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index variants_pairs on variants (company_id) where octet_length(sku) <> length(sku) and upper(sku collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(barcode) <> length(barcode) and upper(barcode collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index tax_tables_pairs on tax_tables (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index customers_pairs on customers (company_id) where octet_length(email) <> length(email) and upper(email collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(first_name) <> length(first_name) and upper(first_name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(last_name) <> length(last_name) and upper(last_name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(phone) <> length(phone) and upper(phone collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index sessions_pairs on sessions (company_id) where octet_length(session_number) <> length(session_number) and upper(session_number collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index orders_pairs on orders (company_id) where octet_length(receipt_id) <> length(receipt_id) and upper(receipt_id collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(customer_note) <> length(customer_note) and upper(customer_note collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index transactions_pairs on transactions (company_id) where octet_length(receipt_id) <> length(receipt_id) and upper(receipt_id collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(notes) <> length(notes) and upper(notes collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index refunds_pairs on refunds (company_id) where octet_length(reason) <> length(reason) and upper(reason collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index attachments_pairs on attachments (company_id) where octet_length(name) <> length(name) and upper(name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
create index automation_triggers_pairs on automation_triggers (company_id) where octet_length(trigger_type) <> length(trigger_type) and upper(trigger_type collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]'
  or octet_length(custom_trigger_name) <> length(custom_trigger_name) and upper(custom_trigger_name collate "und-x-icu") ~ '[^\x01-\x7f][0-9A-Z]{2}[^\x01-\x7f]';
