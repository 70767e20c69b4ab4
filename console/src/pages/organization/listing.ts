// What anybody sees of an extension, made of what its organization says: the same rules as the server's public list.
import type { Surface } from '../../api/organization.ts'
import { text } from '../../texts/extensions.ts'

/** What a listing shows; a draft of one may lack anything. */
export interface Listing {
  readonly name?: string | undefined
  readonly shortDescription?: string | undefined
  readonly description?: string | undefined
  readonly category?: string | undefined
  readonly icon?: string | undefined
  readonly gallery?: readonly string[] | undefined
  readonly website?: string | undefined
  readonly price?: number | undefined
  readonly surfaces?: readonly Surface[] | undefined
}

/** A price, which is of no currency. */
export const priceOf = (price: number | undefined): string =>
  price === undefined || price === null
    ? ''
    : price === 0
      ? text.free
      : new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(price)

/** Surfaces as they are opened: one without an address opens the website; where there is none either, it is left out. */
export const opened = ({ surfaces = [], website }: Listing): readonly Surface[] =>
  (surfaces ?? []).flatMap(({ platform, type, url }) => {
    const to = url || website
    return to ? [{ platform: platform || 'all', type: type || 'link', url: to }] : []
  })

/** An address that may be followed; undefined for what is typed halfway, and for other schemes. */
export function webUrl(typed: string | undefined): URL | undefined {
  try {
    const url = new URL(typed ?? '')
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}
