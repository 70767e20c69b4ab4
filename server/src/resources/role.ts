// Role: what an employee may do at the till.
import { flag, list, name, object, required } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const role = resource({
  name: { one: 'role', many: 'roles' },
  title: 'Roles',
  description: 'A set of permissions that tills grant to employees.',
  fields: {
    name: required(name()),
    permissions: list(
      object({ name: name(), permissionId: name(), category: name(), subCategory: name(), value: flag() }),
    ),
  },
  remove: 'hard',
  list: { sort: ['name'], search: ['name'] },
  styleA: { one: ['roles'], list: 'roles' },
  styleB: { one: 'role', many: 'roles' },
  example: {
    name: 'Cashier',
    permissions: [{ name: 'Open the drawer', permissionId: 'drawer.open', category: 'till', value: true }],
  },
})
