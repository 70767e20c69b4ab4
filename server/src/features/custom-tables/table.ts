// Custom table: a table that a company defines; its fields, rows and values are resources of their own.

import { CUSTOM_NAME_CHARACTERS } from '../../core/limits.ts'
import { anything, description, list, required, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

const name = text({ max: CUSTOM_NAME_CHARACTERS, description: 'Lower-case words with hyphens; unique in the company.' })

export const customTable = resource({
  name: { one: 'custom-table', many: 'custom-tables' },
  title: 'Custom tables',
  description:
    'A table of the company’s own. Its columns are custom table fields; its rows are read and written by column names under `/v1/api/custom-table-data/{tableName}`. Deleting it deletes its fields, rows and values, at once for readers and soon after from the disk; it raises one event.',
  fields: {
    name: required({ ...name, schema: { ...name.schema, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' } }),
    description: description({
      description: 'What the table is for, in words.',
      example: 'What regular customers have earned',
    }),
    metadata: list(anything(), {
      description: 'Your own data about the table, usually {key, value}; any JSON is kept.',
    }),
  },
  ids: 'oid',
  unique: ['name'],
  conflict: 'A custom table of this name already exists.',
  remove: 'hard',
  list: {},
  styleA: { one: ['custom-table'], list: 'custom-tables' },
  styleB: null,
  example: { name: 'loyalty', description: 'What regular customers have earned' },
})
