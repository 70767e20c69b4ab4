// To which moment a record belongs in reports: decided here and nowhere else.

/** The members that decide it: a change of one moves the record to another bucket. */
export const momentMembers = ['occurredAt', 'createdAt'] as const

/** The moment of a record; `member` is the SQL that reads one of its members as text. */
export const momentOf = (member: (name: (typeof momentMembers)[number]) => string): string =>
  `coalesce(${momentMembers.map(member).join(', ')})`

/** The moment in a table, as its index after the company has it. */
export const momentIn = (table: string): string => `coalesce(${table}.occurred_at, ${table}.created_at)`

/** The number of a moment's quarter of an hour since 1970 UTC. */
export const quarterOf = (moment: string): string => `floor(date_part('epoch', ${moment}::timestamptz) / 900)::int`

/** The moment at which a quarter begins. */
export const beginOf = (quarter: string): string => `iso_time(to_timestamp(${quarter} * 900.0))`

/** The last moment of a quarter. */
export const endOf = (quarter: string): string => `iso_time(to_timestamp(${quarter} * 900.0 + 899.999))`
