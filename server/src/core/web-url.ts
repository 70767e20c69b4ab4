// Absolute http and https URLs: accepted as browsers read them, stored as RFC 3986 writes them, which `format: uri` promises to readers.

/** True for an absolute http or https URL that has a URI: with characters that a URI has only percent-encoded, too. */
export const isWebUrl = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value) && uri.test(canonicalWebUrl(value))

/** Characters that stand for themselves after the host of a URI, and percent-encoded ones. */
const ofUri = "(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*"

/** The same before the host, and in it: without `/`, `?`, `@` and, in the host, `:`. */
const ofUser = "(?:[\\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*"
const host = "(?:[\\w.~!$&'()*+,;=-]+|\\[[0-9a-f:.]+\\])"

/** What is a URI already. */
const uri = new RegExp(`^https?://(?:${ofUser}@)?${host}(?::\\d*)?(?:[/?]${ofUri})?(?:#${ofUri})?$`, 'i')

/** A character, or a `%` without two digits after it, that a URI has only percent-encoded. */
const encoded = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![0-9a-f]{2})/giu

/** A parsed URL: scheme, user name, host and port; path and query; fragment. */
const parsed = /^(https?:\/\/[^/]*)([^#]*)(?:#(.*))?$/

/**
 * The URI of an absolute http or https URL: itself, if it is one. Otherwise its other characters are percent-encoded,
 * and a host name of other scripts is in ASCII, so that requests go where a browser would go.
 */
export function canonicalWebUrl(value: string): string {
  if (uri.test(value)) return value
  const [, start = '', path = '', fragment] = parsed.exec(new URL(value).href) ?? []
  const rest = (text: string) => text.replace(encoded, (character) => encodeURIComponent(character))
  return `${start}${rest(path)}${fragment === undefined ? '' : `#${rest(fragment)}`}`
}
