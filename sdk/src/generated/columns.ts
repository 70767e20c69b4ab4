// Written by `npm run sdk` from openapi.sdk.json.

/** Columns that a company’s own tables add to `Customer`: `npx cashwrap-types` declares yours. */
// biome-ignore lint/suspicious/noEmptyInterface: it is extended by declarations.
export interface CustomerColumns {}

/** Columns that a company’s own tables add to `CustomerCreate`: `npx cashwrap-types` declares yours. */
// biome-ignore lint/suspicious/noEmptyInterface: it is extended by declarations.
export interface CustomerCreateColumns {}

/** Columns that a company’s own tables add to `CustomerUpdate`: `npx cashwrap-types` declares yours. */
// biome-ignore lint/suspicious/noEmptyInterface: it is extended by declarations.
export interface CustomerUpdateColumns {}
