// Which records people create by a form of their own: a payment or a refund without its order would not show what it is for.
import type { Resource } from '../../api/resources.ts'

/** Payments and refunds are made on the page of their order. */
export const isCreatable = ({ many }: Pick<Resource, 'many'>): boolean => many !== 'transactions' && many !== 'refunds'
