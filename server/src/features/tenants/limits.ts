// The limits of organizations, companies, plans and their keys, each with its reason.

/** Characters of the reason for which a company is suspended: a sentence or two, in each response to its keys. */
export const SUSPENDED_REASON_CHARACTERS = 500
/** Characters of a company's address as JSON, including unknown members: a page of 1,000 companies fits the memory. */
export const COMPANY_ADDRESS_CHARACTERS = 10_000
/** Largest limit of a plan: beyond what any shop has, and far from what PostgreSQL cannot count. */
export const PLAN_LIMIT_MOST = 1_000_000_000
/** Milliseconds for which a rotated key may stay valid beside the new one: a quarter of a year. */
export const KEY_OVERLAP_MS = 90 * 24 * 60 * 60 * 1000
