// The limits of answers, each with its reason.

/** Days of one report (a leap year), and the default. */
export const REPORT_DAYS = 366
export const REPORT_DAYS_DEFAULT = 30
/** Payment methods that a report lists, those with the most sales: any word is valid, and a company could create a million. */
export const REPORT_METHODS = 100
/** Products that a report lists by default and at most. */
export const REPORT_PRODUCTS_DEFAULT = 10
export const REPORT_PRODUCTS = 100
/**
 * Orders in which a report looks for names of products without a record, some 10 ms; then those in which it looks for
 * what is left, at last some 0.1 s; and characters of such an order.
 */
export const REPORT_NAMING_ORDERS = [200, 1_000, 5_000]
export const REPORT_NAMING_CHARACTERS = 64 * 1024
/** Milliseconds for which a request waits until its sums are complete; after that the response says that they are not. */
export const REPORT_PATIENCE_MS = 1_000
/** Groups of a report: some 6 MB. A company could have any number of customers or sessions. */
export const REPORT_GROUPS = 20_000
/** Records that a report reads where no sums are kept by its dimensions: some seconds. */
export const REPORT_RECORDS = 50_000
/** Different products, or methods and currencies by day, that a report adds up in memory: some 20 MB. */
export const REPORT_KEYS = 100_000
/** Tags of a customer that sales are grouped by, the first ones: with a million of them a sale would be in a million groups. */
export const REPORT_TAGS = 20
/** Records that one statement looks up, some 4 MB at most; and those that a report remembers. */
export const REPORT_LOOKUP_RECORDS = 2_000
export const REPORT_REMEMBERED_LOOKUPS = 50_000
