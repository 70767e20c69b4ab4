// Texts of roles: the permissions of employees at the till.
export const text = {
  area: 'Area',
  columns: { view: 'View', create: 'Create', edit: 'Edit', delete: 'Delete' },
  special: 'Special',
  others: 'Other',
  granted: (granted: number, all: number) => `${granted.toLocaleString()} of ${all.toLocaleString()} granted`,
  allOf: (area: string) => `Everything in ${area}`,
  isGranted: (name: string) => `${name}: granted`,
  isDenied: (name: string) => `${name}: not granted`,
  grantAll: 'Grant all',
  denyAll: 'Clear all',
  none: 'This role lists no permissions.',
  own: 'Permissions of your own',
  ownHint:
    'The whole list as tills read it, with ids. Add permissions of your own here if your tills know any that are missing above.',
} as const
