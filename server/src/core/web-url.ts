// Absolute http and https URLs: accepted as browsers read them, stored as RFC 3986 writes them, which `format: uri` promises to readers.

/** True for an absolute http or https URL, also with characters that a URI has only percent-encoded. */
export const isWebUrl = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

/** Characters that stand for themselves after the host of a URI, and percent-encoded ones. */
const ofUri = "(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*"

/** What is a URI already: a host in ASCII, and perhaps a port. A URL with a user name gets its form from the parser. */
const uri = new RegExp(`^https?://(?:[\\w.~-]+|\\[[0-9a-f:.]+\\])(?::\\d*)?(?:[/?]${ofUri})?(?:#${ofUri})?$`, 'i')

/** A character, or a `%` without two digits after it, that a URI has only percent-encoded. */
const encoded = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![0-9a-f]{2})/giu

/**
 * The URI of a URL for which `isWebUrl` holds: itself, if it is one. Otherwise its other characters are percent-encoded,
 * and a host name of other scripts is in ASCII, so that requests go where a browser would go.
 */
export function canonicalWebUrl(value: string): string {
  if (uri.test(value)) return value
  const { href, pathname, search, hash } = new URL(value)
  const start = href.slice(0, href.length - pathname.length - search.length - hash.length)
  const rest = (text: string) => text.replace(encoded, (character) => encodeURIComponent(character))
  return `${start}${rest(pathname + search)}${hash && `#${rest(hash.slice(1))}`}`
}
