-- Finds what catalog visibility hides at an outlet, for the filter visibleAt of products and variants. A page checks each of its
-- records, and a count checks all, without reading visibility records. Building the index blocks writes to visibility records.
create index catalog_visibilities_hidden on catalog_visibilities (company_id, outlet_id, variant_id, product_id) where body ->> 'isVisible' = 'false';
