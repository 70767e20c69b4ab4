// The kinds of records that an import writes, in the order in which an undo goes through them.
/** What an import writes; an undo goes through them in this order. */
export const changeKinds = ['variants', 'products', 'categories', 'outlets'] as const
export type ChangeKind = (typeof changeKinds)[number]
