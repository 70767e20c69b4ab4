-- The columns by which lists filter, search and sort are set by the statements that write records, instead of being generated: each
-- generated column parses the whole body for itself, eleven times for a customer, and a statement parses it once
-- (docs/decisions/0035-hot-paths.md). No row is rewritten.
--
-- Triggers set the columns for statements that do not: those of servers of the previous version, and those written by hand. An insert
-- without its columns has no created_at; an update without them keeps updated_at.

alter table outlets
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column tax_id drop expression,
  alter column processor_account_id drop expression,
  alter column sequence_number drop expression;
create function outlets_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), coalesce(record."taxId", ''), coalesce(record."processorAccountId", ''), coalesce(record."sequenceNumber", '-Infinity')
  into new.created_at, new.updated_at, new.name, new.tax_id, new.processor_account_id, new.sequence_number
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "taxId" text, "processorAccountId" text, "sequenceNumber" numeric);
  return new;
end $$;
create trigger outlets_columns_inserted before insert on outlets for each row when (new.created_at is null) execute function outlets_columns();
create trigger outlets_columns_updated before update of body on outlets for each row when (new.updated_at = old.updated_at) execute function outlets_columns();

alter table stations
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column status drop expression,
  alter column outlet_id drop expression,
  alter column device_id drop expression,
  alter column processor_terminal_id drop expression,
  alter column serial_reader_id drop expression,
  alter column sequence_number drop expression;
create function stations_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), coalesce(record."status", ''), coalesce(record."outletId", ''), coalesce(record."deviceId", ''), coalesce(record."processorTerminalId", ''), coalesce(record."serialReaderId", ''), coalesce(record."sequenceNumber", '-Infinity')
  into new.created_at, new.updated_at, new.name, new.status, new.outlet_id, new.device_id, new.processor_terminal_id, new.serial_reader_id, new.sequence_number
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "status" text, "outletId" text, "deviceId" text, "processorTerminalId" text, "serialReaderId" text, "sequenceNumber" numeric);
  return new;
end $$;
create trigger stations_columns_inserted before insert on stations for each row when (new.created_at is null) execute function stations_columns();
create trigger stations_columns_updated before update of body on stations for each row when (new.updated_at = old.updated_at) execute function stations_columns();

alter table accounts
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column email drop expression,
  alter column name drop expression,
  alter column phone drop expression;
create function accounts_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."email", ''), coalesce(record."name", ''), coalesce(record."phone", '')
  into new.created_at, new.updated_at, new.email, new.name, new.phone
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "email" text, "name" text, "phone" text);
  return new;
end $$;
create trigger accounts_columns_inserted before insert on accounts for each row when (new.created_at is null) execute function accounts_columns();
create trigger accounts_columns_updated before update of body on accounts for each row when (new.updated_at = old.updated_at) execute function accounts_columns();

alter table roles
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression;
create function roles_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", '')
  into new.created_at, new.updated_at, new.name
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text);
  return new;
end $$;
create trigger roles_columns_inserted before insert on roles for each row when (new.created_at is null) execute function roles_columns();
create trigger roles_columns_updated before update of body on roles for each row when (new.updated_at = old.updated_at) execute function roles_columns();

alter table categories
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column external_id drop expression,
  alter column source drop expression,
  alter column parent_id drop expression,
  alter column menu_order drop expression;
create function categories_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), coalesce(record."externalId", ''), coalesce(record."source", ''), coalesce(record."parentId", ''), coalesce(record."menuOrder", '-Infinity')
  into new.created_at, new.updated_at, new.name, new.external_id, new.source, new.parent_id, new.menu_order
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "externalId" text, "source" text, "parentId" text, "menuOrder" numeric);
  return new;
end $$;
create trigger categories_columns_inserted before insert on categories for each row when (new.created_at is null) execute function categories_columns();
create trigger categories_columns_updated before update of body on categories for each row when (new.updated_at = old.updated_at) execute function categories_columns();

alter table products
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column sku drop expression,
  alter column description drop expression,
  alter column external_id drop expression,
  alter column status drop expression,
  alter column source drop expression,
  alter column tax_table drop expression,
  alter column tags drop expression,
  alter column categories drop expression,
  alter column outlets drop expression,
  alter column min_price drop expression;
create function products_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), coalesce(record."sku", ''), left(coalesce(record."description", ''), 2000), coalesce(record."externalId", ''), coalesce(record."status", ''), coalesce(record."source", ''), coalesce(record."taxTable", ''), record."tags", record."categories", record."outlets", coalesce(record."minPrice", '-Infinity')
  into new.created_at, new.updated_at, new.name, new.sku, new.description, new.external_id, new.status, new.source, new.tax_table, new.tags, new.categories, new.outlets, new.min_price
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "sku" text, "description" text, "externalId" text, "status" text, "source" text, "taxTable" text, "tags" jsonb, "categories" jsonb, "outlets" jsonb, "minPrice" numeric);
  return new;
end $$;
create trigger products_columns_inserted before insert on products for each row when (new.created_at is null) execute function products_columns();
create trigger products_columns_updated before update of body on products for each row when (new.updated_at = old.updated_at) execute function products_columns();

alter table variants
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column sku drop expression,
  alter column barcode drop expression,
  alter column external_id drop expression,
  alter column product_id drop expression,
  alter column price drop expression;
create function variants_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."sku", ''), coalesce(record."barcode", ''), coalesce(record."externalId", ''), coalesce(record."productId", ''), coalesce(record."price", '-Infinity')
  into new.created_at, new.updated_at, new.sku, new.barcode, new.external_id, new.product_id, new.price
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "sku" text, "barcode" text, "externalId" text, "productId" text, "price" numeric);
  return new;
end $$;
create trigger variants_columns_inserted before insert on variants for each row when (new.created_at is null) execute function variants_columns();
create trigger variants_columns_updated before update of body on variants for each row when (new.updated_at = old.updated_at) execute function variants_columns();

alter table inventories
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column product_id drop expression,
  alter column variant_id drop expression,
  alter column outlet_id drop expression,
  alter column stock drop expression,
  alter column is_deleted drop expression;
create function inventories_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."productId", ''), coalesce(record."variantId", ''), coalesce(record."outletId", ''), coalesce(record."stock", '-Infinity'), record."isDeleted"
  into new.created_at, new.updated_at, new.product_id, new.variant_id, new.outlet_id, new.stock, new.is_deleted
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "productId" text, "variantId" text, "outletId" text, "stock" numeric, "isDeleted" boolean);
  return new;
end $$;
create trigger inventories_columns_inserted before insert on inventories for each row when (new.created_at is null) execute function inventories_columns();
create trigger inventories_columns_updated before update of body on inventories for each row when (new.updated_at = old.updated_at) execute function inventories_columns();

alter table catalog_visibilities
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column product_id drop expression,
  alter column variant_id drop expression,
  alter column outlet_id drop expression;
create function catalog_visibilities_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."productId", ''), coalesce(record."variantId", ''), coalesce(record."outletId", '')
  into new.created_at, new.updated_at, new.product_id, new.variant_id, new.outlet_id
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "productId" text, "variantId" text, "outletId" text);
  return new;
end $$;
create trigger catalog_visibilities_columns_inserted before insert on catalog_visibilities for each row when (new.created_at is null) execute function catalog_visibilities_columns();
create trigger catalog_visibilities_columns_updated before update of body on catalog_visibilities for each row when (new.updated_at = old.updated_at) execute function catalog_visibilities_columns();

alter table tax_tables
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column product_types drop expression,
  alter column outlet_ids drop expression;
create function tax_tables_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), record."productTypes", record."outletIds"
  into new.created_at, new.updated_at, new.name, new.product_types, new.outlet_ids
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "productTypes" jsonb, "outletIds" jsonb);
  return new;
end $$;
create trigger tax_tables_columns_inserted before insert on tax_tables for each row when (new.created_at is null) execute function tax_tables_columns();
create trigger tax_tables_columns_updated before update of body on tax_tables for each row when (new.updated_at = old.updated_at) execute function tax_tables_columns();

alter table customers
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column email drop expression,
  alter column first_name drop expression,
  alter column last_name drop expression,
  alter column phone drop expression,
  alter column external_id drop expression,
  alter column outlet_id drop expression,
  alter column source drop expression,
  alter column tags drop expression,
  alter column is_deleted drop expression;
create function customers_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."email", ''), coalesce(record."firstName", ''), coalesce(record."lastName", ''), coalesce(record."phone", ''), coalesce(record."externalId", ''), coalesce(record."outletId", ''), coalesce(record."source", ''), record."tags", record."isDeleted"
  into new.created_at, new.updated_at, new.email, new.first_name, new.last_name, new.phone, new.external_id, new.outlet_id, new.source, new.tags, new.is_deleted
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "email" text, "firstName" text, "lastName" text, "phone" text, "externalId" text, "outletId" text, "source" text, "tags" jsonb, "isDeleted" boolean);
  return new;
end $$;
create trigger customers_columns_inserted before insert on customers for each row when (new.created_at is null) execute function customers_columns();
create trigger customers_columns_updated before update of body on customers for each row when (new.updated_at = old.updated_at) execute function customers_columns();

alter table sessions
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column session_number drop expression,
  alter column station_id drop expression,
  alter column opened_by drop expression,
  alter column closed_by drop expression,
  alter column open_time drop expression,
  alter column close_time drop expression;
create function sessions_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."sessionNumber", ''), coalesce(record."stationId", ''), coalesce(record."openedBy", ''), coalesce(record."closedBy", ''), coalesce(record."openTime", ''), coalesce(record."closeTime", '')
  into new.created_at, new.updated_at, new.session_number, new.station_id, new.opened_by, new.closed_by, new.open_time, new.close_time
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "sessionNumber" text, "stationId" text, "openedBy" text, "closedBy" text, "openTime" text, "closeTime" text);
  return new;
end $$;
create trigger sessions_columns_inserted before insert on sessions for each row when (new.created_at is null) execute function sessions_columns();
create trigger sessions_columns_updated before update of body on sessions for each row when (new.updated_at = old.updated_at) execute function sessions_columns();

alter table cash_movements
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column session_id drop expression,
  alter column type drop expression,
  alter column currency drop expression,
  alter column employee drop expression;
create function cash_movements_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."sessionId", ''), coalesce(record."type", ''), coalesce(record."currency", ''), coalesce(record."employee", '')
  into new.created_at, new.updated_at, new.session_id, new.type, new.currency, new.employee
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "sessionId" text, "type" text, "currency" text, "employee" text);
  return new;
end $$;
create trigger cash_movements_columns_inserted before insert on cash_movements for each row when (new.created_at is null) execute function cash_movements_columns();
create trigger cash_movements_columns_updated before update of body on cash_movements for each row when (new.updated_at = old.updated_at) execute function cash_movements_columns();

alter table orders
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column receipt_id drop expression,
  alter column customer_note drop expression,
  alter column external_id drop expression,
  alter column status drop expression,
  alter column source drop expression,
  alter column currency drop expression,
  alter column employee drop expression,
  alter column customer_id drop expression,
  alter column outlet_id drop expression,
  alter column station_id drop expression,
  alter column session_id drop expression;
create function orders_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."receiptId", ''), left(coalesce(record."customerNote", ''), 2000), coalesce(record."externalId", ''), coalesce(record."status", ''), coalesce(record."source", ''), coalesce(record."currency", ''), coalesce(record."employee", ''), coalesce(record."customerId", ''), coalesce(record."outletId", ''), coalesce(record."stationId", ''), coalesce(record."sessionId", '')
  into new.created_at, new.updated_at, new.receipt_id, new.customer_note, new.external_id, new.status, new.source, new.currency, new.employee, new.customer_id, new.outlet_id, new.station_id, new.session_id
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "receiptId" text, "customerNote" text, "externalId" text, "status" text, "source" text, "currency" text, "employee" text, "customerId" text, "outletId" text, "stationId" text, "sessionId" text);
  return new;
end $$;
create trigger orders_columns_inserted before insert on orders for each row when (new.created_at is null) execute function orders_columns();
create trigger orders_columns_updated before update of body on orders for each row when (new.updated_at = old.updated_at) execute function orders_columns();

alter table transactions
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column receipt_id drop expression,
  alter column notes drop expression,
  alter column external_id drop expression,
  alter column type drop expression,
  alter column payment_method drop expression,
  alter column currency drop expression,
  alter column employee drop expression,
  alter column session_id drop expression,
  alter column order_id drop expression,
  alter column refund_id drop expression,
  alter column outlet_id drop expression,
  alter column amount drop expression;
create function transactions_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."receiptId", ''), left(coalesce(record."notes", ''), 2000), coalesce(record."externalId", ''), coalesce(record."type", ''), coalesce(record."paymentMethod", ''), coalesce(record."currency", ''), coalesce(record."employee", ''), coalesce(record."sessionId", ''), coalesce(record."orderId", ''), coalesce(record."refundId", ''), coalesce(record."outletId", ''), coalesce(record."amount", '-Infinity')
  into new.created_at, new.updated_at, new.receipt_id, new.notes, new.external_id, new.type, new.payment_method, new.currency, new.employee, new.session_id, new.order_id, new.refund_id, new.outlet_id, new.amount
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "receiptId" text, "notes" text, "externalId" text, "type" text, "paymentMethod" text, "currency" text, "employee" text, "sessionId" text, "orderId" text, "refundId" text, "outletId" text, "amount" numeric);
  return new;
end $$;
create trigger transactions_columns_inserted before insert on transactions for each row when (new.created_at is null) execute function transactions_columns();
create trigger transactions_columns_updated before update of body on transactions for each row when (new.updated_at = old.updated_at) execute function transactions_columns();

alter table refunds
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column reason drop expression,
  alter column external_id drop expression,
  alter column currency drop expression,
  alter column order_id drop expression,
  alter column session_id drop expression,
  alter column refunded_by drop expression;
create function refunds_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", left(coalesce(record."reason", ''), 2000), coalesce(record."externalId", ''), coalesce(record."currency", ''), coalesce(record."orderId", ''), coalesce(record."sessionId", ''), coalesce(record."refundedBy", '')
  into new.created_at, new.updated_at, new.reason, new.external_id, new.currency, new.order_id, new.session_id, new.refunded_by
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "reason" text, "externalId" text, "currency" text, "orderId" text, "sessionId" text, "refundedBy" text);
  return new;
end $$;
create trigger refunds_columns_inserted before insert on refunds for each row when (new.created_at is null) execute function refunds_columns();
create trigger refunds_columns_updated before update of body on refunds for each row when (new.updated_at = old.updated_at) execute function refunds_columns();

alter table attachments
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column name drop expression,
  alter column account_id drop expression;
create function attachments_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."name", ''), coalesce(record."accountId", '')
  into new.created_at, new.updated_at, new.name, new.account_id
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "name" text, "accountId" text);
  return new;
end $$;
create trigger attachments_columns_inserted before insert on attachments for each row when (new.created_at is null) execute function attachments_columns();
create trigger attachments_columns_updated before update of body on attachments for each row when (new.updated_at = old.updated_at) execute function attachments_columns();

alter table automation_triggers
  alter column created_at drop expression,
  alter column updated_at drop expression,
  alter column trigger_type drop expression,
  alter column custom_trigger_name drop expression,
  alter column trigger_id drop expression;
create function automation_triggers_columns() returns trigger language plpgsql as $$ begin
  select record."createdAt", record."updatedAt", coalesce(record."triggerType", ''), coalesce(record."customTriggerName", ''), coalesce(record."triggerId", '')
  into new.created_at, new.updated_at, new.trigger_type, new.custom_trigger_name, new.trigger_id
  from json_to_record(new.body) as record("createdAt" text, "updatedAt" text, "triggerType" text, "customTriggerName" text, "triggerId" text);
  return new;
end $$;
create trigger automation_triggers_columns_inserted before insert on automation_triggers for each row when (new.created_at is null) execute function automation_triggers_columns();
create trigger automation_triggers_columns_updated before update of body on automation_triggers for each row when (new.updated_at = old.updated_at) execute function automation_triggers_columns();
