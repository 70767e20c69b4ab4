// The permissions of employees at the till, which the roles of a new company list, and which the reference names.

/** A permission of an employee at the till. The service stores it; the till enforces it. */
interface TillPermission {
  readonly permissionId: string
  readonly name: string
  readonly category: string
  readonly subCategory: string
}

const of = (
  category: string,
  subCategory: string,
  ...permissions: (readonly [permissionId: string, name: string])[]
): TillPermission[] => permissions.map(([permissionId, name]) => ({ permissionId, name, category, subCategory }))

/**
 * All permissions, in the order in which roles list them. Ids are part of the API: new ones may be added, existing ones
 * never change.
 */
export const tillPermissions: readonly TillPermission[] = [
  ...of(
    'sales',
    'sale',
    ['sales.create', 'Make sales'],
    ['sales.park', 'Park sales'],
    ['sales.view', 'View past sales'],
    ['sales.discount', 'Give discounts'],
    ['sales.price', 'Change prices in a sale'],
  ),
  ...of('sales', 'return', ['sales.refund', 'Refund sales'], ['sales.void', 'Void sales']),
  ...of(
    'till',
    'session',
    ['session.open', 'Open sessions'],
    ['session.close', 'Close sessions'],
    ['session.report', 'View session reports'],
  ),
  ...of('till', 'drawer', ['drawer.open', 'Open the drawer'], ['drawer.move', 'Pay cash in and out']),
  ...of(
    'catalog',
    'products',
    ['catalog.view', 'View products'],
    ['catalog.edit', 'Edit products'],
    ['catalog.price', 'Edit prices'],
    ['catalog.import', 'Import products'],
  ),
  ...of(
    'stock',
    'levels',
    ['stock.view', 'View stock'],
    ['stock.count', 'Count stock'],
    ['stock.adjust', 'Adjust stock'],
  ),
  ...of(
    'customers',
    'records',
    ['customers.view', 'View customers'],
    ['customers.edit', 'Edit customers'],
    ['customers.delete', 'Delete customers'],
  ),
  ...of('reports', 'sales', ['reports.view', 'View reports']),
  ...of(
    'settings',
    'company',
    ['settings.outlets', 'Manage outlets and stations'],
    ['settings.taxes', 'Manage tax tables'],
    ['settings.employees', 'Manage employees and roles'],
    ['settings.integrations', 'Manage keys and webhooks'],
    ['settings.company', 'Manage the company'],
  ),
]
