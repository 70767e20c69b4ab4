-- Variants with managed stock, so that the report of low stock parses no variant: for 5,000 low levels, parsing took
-- three times as long as all the rest. Rows of variants change with each change of stock, but neither these columns nor
-- the columns of the condition do. Writes to variants wait while the index is built, a second for some hundred thousand.
create index variants_managed on variants (company_id, id) where body ->> 'manageStock' = 'true';

-- Sums of products are written in the order in which they are read. Half of each page stays free, so that a step that changes all
-- rows of a block keeps them in place.
alter table report_products set (fillfactor = 50);
