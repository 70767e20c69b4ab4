// Which tables a company's file has, and which it lacks and why. A test compares both with the tables of the database.

/** A table of the file: its rows are copied as they are stored, without `company_id` and columns that are derived from records. */
export interface FileTable {
  readonly name: string
  /** Columns whose order is the order of the rows: the same on every server. */
  readonly order: string
  /** The column that holds the company's id, if it is not `company_id`. */
  readonly key?: string
  /** Columns that belong to the server and not to the company. */
  readonly without?: readonly string[]
  /** SQL: which rows the company's file has, if not all. */
  readonly only?: string
}

const byId = (...names: readonly string[]): FileTable[] => names.map((name) => ({ name, order: 'id' }))

/**
 * The tables in the order of the file. The company comes first; events come before triggers, whose cursor is the last
 * event at their insert.
 */
export const fileTables: readonly FileTable[] = [
  // The importing server decides its organization, its plan, and what it requires of people.
  {
    name: 'companies',
    order: 'id',
    key: 'id',
    without: ['organization_id', 'plan_id', 'requires_second_factor'],
  },
  { name: 'api_keys', order: 'id', without: ['organization_id', 'last_used_at'] },
  { name: 'outlet_counts', order: 'outlets' },
  ...byId('outlets', 'stations', 'tax_tables', 'roles', 'accounts', 'categories', 'products', 'variants'),
  ...byId('inventories', 'inventory_history', 'catalog_visibilities', 'customers', 'sessions', 'cash_movements'),
  ...byId('orders', 'transactions', 'refunds', 'attachments', 'closings'),
  // Files that are being sent or were replaced are not the company's: their objects may not be there.
  { name: 'attachment_files', order: 'id', without: ['leased_until'], only: 'is_stored' },
  // The file has the bytes; a server stores them in its database.
  {
    name: 'attachment_file_pieces',
    order: 'file_id, number',
    without: ['object'],
    only: `exists (select from attachment_files as whole
      where whole.company_id = attachment_file_pieces.company_id and whole.id = file_id and whole.is_stored)`,
  },
  { name: 'closing_numbers', order: 'station_id' },
  { name: 'closing_records', order: 'resource, record_id' },
  { name: 'custom_structures', order: 'version' },
  ...byId('custom_tables', 'custom_table_fields', 'custom_table_rows', 'custom_table_values'),
  // Rows of deleted tables are in the file until they are removed; this removes them at the other server.
  { name: 'custom_purges', order: 'table_id, field_id' },
  // The importing server assigns the numbers; the order stays.
  { name: 'events', order: 'sequence', without: ['sequence', 'written_in'] },
  {
    name: 'automation_triggers',
    order: 'id',
    without: [
      // Secrets are sealed with the server's key; `shown` is their mask.
      ...['secret', 'shown', 'former_secret', 'former_secret_until'],
      // How far this server has called the receiver.
      ...['position', 'due_at', 'leased_by', 'leased_until', 'failing_since', 'held_until'],
    ],
  },
]

const derived = 'It is derived from the records, and made again at the first request.'
const ofExport = 'Files of the company are kept for days, by the server that has them.'
const ofUpload = 'Uploaded files and what undoes them are kept for days, by the server that has them.'

/** Tables of sums that are made from the records. */
export const derivedTables = ['sum_cursors', 'sum_buckets', 'report_cursors', 'report_sums'] as const

/** Tables of companies that the file does not have, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  members: 'People belong to the server; they are invited again.',
  invitations: 'People belong to the server; they are invited again.',
  payment_customers: 'The server that imports the company registers it with its own payment processor.',
  key_requests: 'The last requests of keys are about one server, and kept for days.',
  webhook_deliveries: 'Calls, also those to be repeated, stay with the server that made them.',
  imports: ofUpload,
  import_pieces: ofUpload,
  import_changes: ofUpload,
  exports: ofExport,
  export_pieces: ofExport,
  alerts: 'They are about the server that made them, and are made again.',
  alert_reads: 'People belong to the server.',
  alert_checks: 'The server that imports the company looks at it from the beginning.',
  feed_gaps: 'It is about the numbers of one server’s events.',
  ...Object.fromEntries(derivedTables.map((table) => [table, derived])),
}
