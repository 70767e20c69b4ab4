// Texts of roles: the permissions of employees at the till.
import { locale, translated } from '../language.ts'
export const text = translated('roles', {
  area: 'Area',
  columns: { view: 'View', create: 'Create', edit: 'Edit', delete: 'Delete' },
  special: 'Special',
  others: 'Other',
  granted: (granted: number, all: number) =>
    `${granted.toLocaleString(locale)} of ${all.toLocaleString(locale)} granted`,
  allOf: (area: string) => `Everything in ${area}`,
  isGranted: (name: string) => `${name}: granted`,
  isDenied: (name: string) => `${name}: not granted`,
  grantAll: 'Grant all',
  denyAll: 'Clear all',
  /** The areas and names of the permissions of a company's first roles, where English says another word. A company's own names stay as they are. */
  areas: { catalog: 'Catalogue' } as Readonly<Record<string, string>>,
  names: {} as Readonly<Record<string, string>>,
  nameTaken: 'Another role has this name. Choose another name, so that people can tell them apart.',
  none: 'This role lists no permissions.',
  search: 'Search permissions',
  nothingFound: 'No permission matches the search.',
  asList: 'Edit as a list',
  asListHint: 'The permissions as tills read them, with ids. Add what your tills know and the table above lacks.',
} as const)
