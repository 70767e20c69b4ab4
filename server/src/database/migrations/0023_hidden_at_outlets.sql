-- What catalog visibility hides at an outlet, for the filter visibleAt of products and variants: a page asks for each of its
-- records, a count for all, and neither reads a visibility record. Writes to visibility records wait while it is made.
create index catalog_visibilities_hidden on catalog_visibilities (company_id, outlet_id, variant_id, product_id) where body ->> 'isVisible' = 'false';
