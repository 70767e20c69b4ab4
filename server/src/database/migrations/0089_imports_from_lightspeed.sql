-- Imports of product exports of Lightspeed Retail (X-Series).
--
-- A server of the previous version does not know such a file: an import that it takes fails, and can be sent again.
-- Oldest server: 0072
alter table imports drop constraint imports_shop_check,
  add constraint imports_shop_check check (shop in ('woocommerce', 'shopify', 'square', 'lightspeed', 'plain'));
