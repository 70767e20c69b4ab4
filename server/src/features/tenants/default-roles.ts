// The roles of a new company, and the list of permissions that roles and tills share (decisions §10).

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
    ['settings.employees', 'Manage employees and roles'],
    ['settings.integrations', 'Manage keys and webhooks'],
    ['settings.company', 'Manage the company'],
  ),
]

const all = tillPermissions.map(({ permissionId }) => permissionId)
const cashier = [
  ...['sales.create', 'sales.park', 'sales.view', 'session.open', 'session.close'],
  ...['catalog.view', 'stock.view', 'customers.view', 'customers.edit'],
]

/** A role with every permission, each granted or not. */
const roleWith = (name: string, granted: readonly string[]) => ({
  name,
  permissions: tillPermissions.map(({ permissionId, name, category, subCategory }) => ({
    ...{ name, permissionId, category, subCategory },
    value: granted.includes(permissionId),
  })),
})

/** Owner, Admin and Cashier as records. */
export const defaultRoles = [
  roleWith('Owner', all),
  roleWith(
    'Admin',
    all.filter((id) => id !== 'settings.company'),
  ),
  roleWith('Cashier', cashier),
]
