-- Gives every company a currency, and lists permissions in the default roles.

alter table organizations add column default_currency text collate "C";

-- Servers of the previous version create companies without a currency, and clear it. The trigger sets a default meanwhile.
create function company_currency() returns trigger language plpgsql as $$
begin
  new.currency := coalesce((select default_currency from organizations where id = new.organization_id), 'USD');
  return new;
end $$;
create trigger company_currency before insert or update on companies
  for each row when (new.currency is null) execute function company_currency();

-- No organization has a default yet, so the trigger sets USD.
update companies set updated_at = greatest(updated_at, now()) where currency is null;

-- Adds permissions to default roles that are unchanged since their company was created; all other roles stay unchanged. The
-- texts match `new-company.ts`. updatedAt moves, so that lists filtered by it find the roles; there is no event.
with permission as (
  select * from (values
    ('sales.create', 'Make sales', 'sales', 'sale', true, true),
    ('sales.park', 'Park sales', 'sales', 'sale', true, true),
    ('sales.view', 'View past sales', 'sales', 'sale', true, true),
    ('sales.discount', 'Give discounts', 'sales', 'sale', true, false),
    ('sales.price', 'Change prices in a sale', 'sales', 'sale', true, false),
    ('sales.refund', 'Refund sales', 'sales', 'return', true, false),
    ('sales.void', 'Void sales', 'sales', 'return', true, false),
    ('session.open', 'Open sessions', 'till', 'session', true, true),
    ('session.close', 'Close sessions', 'till', 'session', true, true),
    ('session.report', 'View session reports', 'till', 'session', true, false),
    ('drawer.open', 'Open the drawer', 'till', 'drawer', true, false),
    ('drawer.move', 'Pay cash in and out', 'till', 'drawer', true, false),
    ('catalog.view', 'View products', 'catalog', 'products', true, true),
    ('catalog.edit', 'Edit products', 'catalog', 'products', true, false),
    ('catalog.price', 'Edit prices', 'catalog', 'products', true, false),
    ('catalog.import', 'Import products', 'catalog', 'products', true, false),
    ('stock.view', 'View stock', 'stock', 'levels', true, true),
    ('stock.count', 'Count stock', 'stock', 'levels', true, false),
    ('stock.adjust', 'Adjust stock', 'stock', 'levels', true, false),
    ('customers.view', 'View customers', 'customers', 'records', true, true),
    ('customers.edit', 'Edit customers', 'customers', 'records', true, true),
    ('customers.delete', 'Delete customers', 'customers', 'records', true, false),
    ('reports.view', 'View reports', 'reports', 'sales', true, false),
    ('settings.outlets', 'Manage outlets and stations', 'settings', 'company', true, false),
    ('settings.employees', 'Manage employees and roles', 'settings', 'company', true, false),
    ('settings.integrations', 'Manage keys and webhooks', 'settings', 'company', true, false),
    ('settings.company', 'Manage the company', 'settings', 'company', false, false)
  ) as permission(id, name, category, sub_category, admin, cashier)
), numbered as (
  select row_number() over () as number, * from permission
), role as (
  select role.name, string_agg(
      format('{"name":"%s","permissionId":"%s","category":"%s","subCategory":"%s","value":%s}',
        numbered.name, numbered.id, category, sub_category,
        (case role.name when 'Owner' then true when 'Admin' then admin else cashier end)::text),
      ',' order by number) as permissions
  from (values ('Owner'), ('Admin'), ('Cashier')) as role(name), numbered
  group by role.name
)
update roles as stored
set version = stored.version + 1,
  body = format('{"id":"%s","name":"%s","permissions":[%s],"createdAt":"%s","updatedAt":"%s","companyId":"%s"}',
    stored.id, stored.name, role.permissions, stored.created_at, iso_time(now()::timestamptz(3)), stored.company_id)::json
from role, companies as company
where company.id = stored.company_id and stored.name = role.name and stored.version = 1
  and stored.body::text = format('{"id":"%s","name":"%s","createdAt":"%s","updatedAt":"%s","companyId":"%s"}',
    stored.id, stored.name, stored.created_at, stored.created_at, stored.company_id)
  and stored.created_at::timestamptz between company.created_at - interval '1 minute' and company.created_at + interval '1 minute';
