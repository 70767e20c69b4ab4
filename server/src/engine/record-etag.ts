// The version of each record of a list or a bulk result, so that a client can change what it read without reading each record again.
import { etagOf } from '../core/etag.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { spliced } from './projection.ts'

/** The member that a record has with `etags=true`. */
export const ETAG_MEMBER = 'etag'

/** The member in the reference. It is the text of the header, so that the two can be compared. */
export const etagMember: JsonSchema = {
  type: 'string',
  readOnly: true,
  description:
    'The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`.',
}

/** The parameter of lists, and of bulk writes whose results have records. */
export const etagsParameter: Readonly<Record<string, JsonSchema>> = {
  etags: {
    type: 'boolean',
    default: false,
    description: 'Also return the `ETag` of each record, as its member `etag`.',
  },
}

/** What a body that has the member is told. */
export const etagAdvice = 'to change only that version, send it as If-Match, or as ifMatch of an item'

/** A record's text with its ETag as the last member. `mask` makes the text of which it is the ETag, where a secret is shown once. */
export const withEtag = (text: string, mask = (shown: string) => shown): string =>
  spliced(text, JSON.stringify({ [ETAG_MEMBER]: etagOf(mask(text)) }))
