// The part of a client's address that one client has: what failures are counted by.
import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network of an address as text: an IPv4 address as such, also when it is mapped into IPv6 (RFC 4291 2.5.5.2); of an
 * IPv6 address the first 64 bits, since whoever has one has all 2^64 of them. Undefined: it is no address.
 */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return groups.slice(0, 4).map(hex).join(':')
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const hex = (group: number): string => group.toString(16)

/** The eight groups of a valid IPv6 address, its zone left out. */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%')
  const whole = bare.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${hex(a * 256 + +b)}:${hex(c * 256 + +d)}`,
  )
  const [front = '', back] = whole.split('::')
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [left, right] = [numbers(front), numbers(back ?? '')]
  return [...left, ...Array(8 - left.length - right.length).fill(0), ...right]
}
