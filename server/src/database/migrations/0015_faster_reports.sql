-- Whose stock is managed, so that the report of low stock parses no variant for it: for 5,000 levels that are few that took
-- three times as long as all the rest. Rows of variants change with each change of stock, but neither these columns do nor
-- what the condition reads. Writes to variants wait while it is made, a second for some hundred thousand of them.
create index variants_managed on variants (company_id, id) where body ->> 'manageStock' = 'true';

-- Sums of products are written in the order in which they are read. Half of a page is left free, so that a step that changes all rows
-- of a block leaves them where they are.
alter table report_products set (fillfactor = 50);
