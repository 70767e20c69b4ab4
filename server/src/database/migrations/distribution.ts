// Which tables are distributed by company, where the database is a Citus cluster, and which stay on its coordinator: each table of the migrations is in one of the two lists.

/**
 * Tables whose rows belong to one company, and the column that names it. All rows of a company are on one node, so a
 * statement that names the company runs there. The first one is distributed first, and the others are placed as it is.
 */
export const distributedTables: Readonly<Record<string, string>> = {
  outlet_counts: 'company_id',
  outlets: 'company_id',
  stations: 'company_id',
  tax_tables: 'company_id',
  roles: 'company_id',
  accounts: 'company_id',
  categories: 'company_id',
  products: 'company_id',
  variants: 'company_id',
  inventories: 'company_id',
  inventory_history: 'company_id',
  catalog_visibilities: 'company_id',
  customers: 'company_id',
  sessions: 'company_id',
  cash_movements: 'company_id',
  orders: 'company_id',
  transactions: 'company_id',
  refunds: 'company_id',
  attachments: 'company_id',
  closings: 'company_id',
  closing_numbers: 'company_id',
  closing_records: 'company_id',
  custom_tables: 'company_id',
  custom_table_fields: 'company_id',
  custom_table_rows: 'company_id',
  custom_table_values: 'company_id',
  custom_structures: 'company_id',
  automation_triggers: 'company_id',
  events: 'company_id',
  webhook_deliveries: 'company_id',
  // The owner is a company or an organization; requests of an organization are few.
  idempotency_keys: 'owner_id',
  report_cursors: 'company_id',
  report_sums: 'company_id',
  sum_cursors: 'company_id',
  sum_buckets: 'company_id',
  import_changes: 'company_id',
}

const people = 'People belong to the server, and to several companies.'
const queue =
  'It is a queue over all companies: the next row is looked for under a lock, which no statement over several nodes takes.'
const server = 'It is about the server.'

/** Tables that stay on the coordinator, and why. */
export const coordinatorTables: Readonly<Record<string, string>> = {
  migrations: server,
  agreements: server,
  backups: server,
  archive_gaps: server,
  restores: server,
  service_days: server,
  feed_gaps: 'It is about the numbers of events, which the coordinator gives.',
  organizations: 'There are few, and keys, plans and people refer to them.',
  organization_owners: 'There are few.',
  companies:
    'Keys, plans and people refer to them, and writes lock them: locks of rows of a reference table exclude each other.',
  plans: 'There are few, and organizations refer to them.',
  api_keys: 'A key names its company, so it is looked up before any is known.',
  extensions: 'They belong to organizations.',
  published_list: 'It is of all organizations.',
  users: people,
  members: people,
  sign_ins: people,
  removed_sign_ins: people,
  sign_in_links: people,
  sign_in_failures: people,
  known_browsers: people,
  invitations: people,
  second_factors: people,
  recovery_codes: people,
  passkeys: people,
  used_challenges: people,
  identities: people,
  alert_settings: people,
  alert_reads: people,
  attachment_files: 'Their pieces are here.',
  attachment_file_pieces: 'A trigger notes the objects of deleted ones in a queue over all companies.',
  abandoned_objects: queue,
  alerts: 'People read them, and mails about them are a queue over all companies.',
  alert_checks: queue,
  payment_customers: queue,
  custom_purges: queue,
  imports: queue,
  import_pieces: 'They belong to imports, and are kept for days.',
  exports: queue,
  export_pieces: 'They belong to exports, and are kept for days.',
  mails: queue,
  key_requests: 'It is of this server, and kept for days.',
}
