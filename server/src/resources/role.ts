// Role: what an employee may do at the till.
import { flag, list, name, object, required } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { tillPermissions } from './till-permissions.ts'

export const role = resource({
  name: { one: 'role', many: 'roles' },
  title: 'Roles',
  description: 'A set of permissions that tills grant to employees.',
  fields: {
    name: required(name({ description: 'What people call the role.', example: 'Cashier' })),
    permissions: list(
      object(
        {
          name: name({ description: 'The permission in words, as people see it.', example: 'Open the drawer' }),
          permissionId: name({ description: 'Identifies the permission for tills.', example: 'drawer.open' }),
          category: name({ description: 'The group under which people find the permission.', example: 'till' }),
          subCategory: name({ description: 'A group within `category`.', example: 'cash' }),
          value: flag({ description: 'Whether employees with this role may do it.', example: true }),
        },
        {
          title: 'RolePermission',
          description:
            'What employees may or may not do. The examples are the permissions of the first roles of a company; a role may list others.',
          examples: tillPermissions.map((permission) => ({ ...permission, value: false })),
        },
      ),
      { description: 'What the role may and may not do. The service stores the list, and tills enforce it.' },
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
