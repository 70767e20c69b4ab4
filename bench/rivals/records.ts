// The customers that every service of the comparison holds, and those that loads create.
import { numbered, numberMark, sampleBody } from '../sample.ts'

/** A customer as Cashwrap's API takes it; each other service gets the same values under its own names. */
export type Customer = typeof sampleBody

/** Outlets that the customers belong to in equal parts. */
export const outlets = 50
/** The outlet whose customers are listed. */
export const outletId = outletAt(7)
/** A part of the last name of one customer in a thousand, and of no created one: created names alternate consonants and vowels. */
export const searched = 'quil'

function outletAt(n: number): string {
  return `6740a1f2c3d4e5f6a7b8c9${(n % outlets).toString(16).padStart(2, '0')}`
}

/** The customers to begin with. */
export function customers(count: number): Customer[] {
  const text = JSON.stringify(sampleBody)
  return Array.from({ length: count }, (_, n) => {
    const customer: Customer = JSON.parse(numbered(text, n))
    const lastName = n % 1000 === 0 ? `Mc${searched}lan` : customer.lastName
    return { ...customer, lastName, outletId: outletAt(n) }
  })
}

/** The body of a create: e-mail addresses differ from those of the customers to begin with, and the outlet is not the listed one. */
export const newCustomer: Customer = { ...sampleBody, email: `new.${numberMark}@example.com` }

/** Customers of one bulk request. */
export const bulkRecords = 1_000

/** The customers of a bulk request; like created ones they are in no list and no search of the comparison. */
export const newCustomers = (request: number): Customer[] =>
  Array.from({ length: bulkRecords }, (_, n) =>
    JSON.parse(numbered(JSON.stringify(newCustomer), 90_000_000 + request * bulkRecords + n)),
  )

/** The columns that `customers as c` has in an insert's source. */
const columns =
  'email text, "firstName" text, "lastName" text, phone text, "outletId" text, "externalId" text, "totalSpent" numeric, ' +
  '"lastAction" timestamptz, tags jsonb, billing jsonb, notes jsonb, source text, n int'

/** Inserts the customers by one statement for each 5,000, which selects from `c`; its `n` counts from 1. */
export async function insertAll(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  records: readonly Customer[],
  insert: string,
): Promise<void> {
  const portion = 5_000
  for (let from = 0; from < records.length; from += portion) {
    const rows = records.slice(from, from + portion).map((record, at) => ({ ...record, n: from + at + 1 }))
    await query(`${insert} from json_to_recordset($1::json) as c(${columns})`, [JSON.stringify(rows)])
  }
}
