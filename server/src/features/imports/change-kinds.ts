// The kinds of records that an import writes, in the order of an undo.
/** The kinds of records, in the order of an undo. */
export const changeKinds = ['variants', 'products', 'categories', 'outlets'] as const
export type ChangeKind = (typeof changeKinds)[number]
