// To which moment a record belongs in reports: decided here and nowhere else.

/** The members that decide it: a change of one moves the record to another bucket. */
export const momentMembers = ['occurredAt', 'createdAt'] as const

/** The moment of a record; `member` is the SQL that reads one of its members as text. */
export const momentOf = (member: (name: (typeof momentMembers)[number]) => string): string =>
  `coalesce(${momentMembers.map(member).join(', ')})`

/** The moment in a table, in the form of the index, where it follows the company. */
export const momentIn = (table: string): string => `coalesce(${table}.occurred_at, ${table}.created_at)`

/** Quarters of an hour in 2,000 years: the calendar repeats after each 400. PostgreSQL has no year 0, so the year 2000 is read in its place. */
const IN_2000_YEARS = 730_485 * 96

/** The number of a moment's quarter of an hour since 1970 UTC. */
export const quarterOf = (moment: string): string => {
  const quarters = (text: string) => `floor(date_part('epoch', (${text})::timestamptz) / 900)::int`
  return `case when ${moment} >= '0001' then ${quarters(moment)} else ${quarters(`'2' || substr(${moment}, 2)`)} - ${IN_2000_YEARS} end`
}
