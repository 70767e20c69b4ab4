// Which members people may give the same value in many records at once.
import type { Member, Resource } from '../../../api/resources.ts'
import { isTyped } from '../../../parts/sections.ts'
import { isOfClosing, isSettled } from '../../../parts/settled.ts'

/** Members that tell a record from others, or that have dialogs and pages of their own. */
const ownPerRecord = ['externalId', 'email', 'phone', 'name', 'sku', 'barcode', 'tags', 'images', 'metadata', 'notes']

/** What can be the same in many records: single values and lists of ids, but no objects and no secrets. */
export const editableMembers = ({ many, members }: Resource): readonly Member[] =>
  members.filter((member) => {
    const { name, schema, isSecret } = member
    const { type, items } = schema
    const isPlain = schema.enum !== undefined || ['string', 'number', 'integer', 'boolean'].includes(String(type))
    const isList = type === 'array' && items?.type === 'string'
    // An order gets its status by a sale, a refund, a void or its cancellation, and those are done one by one.
    const isDone = isOfClosing(many, name) || isSettled(many, name) || (many === 'orders' && name === 'status')
    const isOpen = isTyped(many, member) && !isDone
    return isOpen && !isSecret && !ownPerRecord.includes(name) && (isPlain || isList)
  })
