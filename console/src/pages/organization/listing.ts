// The public view of an extension, built by the same rules as the server's public list.

import type { Extension, ExtensionSurface } from '../../api/schemas.ts'
import { locale } from '../../language.ts'
import { text } from '../../texts/extensions.ts'

/** What a listing shows; a draft may lack anything. */
export type Listing = Partial<Omit<Extension, 'id' | 'status' | 'createdAt' | 'updatedAt'>>

/** A price, which has no currency. */
export const priceOf = (price: number | undefined): string =>
  price === undefined || price === null
    ? ''
    : price === 0
      ? text.free
      : new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(price)

/** Surfaces with their links: one without a URL opens the website; without that, it is left out. */
export const opened = ({ surfaces = [], website }: Listing): readonly ExtensionSurface[] =>
  (surfaces ?? []).flatMap(({ platform, type, url }) => {
    const to = url || website
    return to ? [{ platform: platform || 'all', type: type || 'link', url: to }] : []
  })

/** A URL that may be followed; undefined for incomplete input, and for other schemes. */
export function webUrl(typed: string | undefined): URL | undefined {
  try {
    const url = new URL(typed ?? '')
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}
