// IP addresses: the part that one client controls, by which failures are counted, and lists of networks.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * The network of an address as text; undefined when it is not an address. An IPv4 address is its own network, also when
 * it is mapped into IPv6 (RFC 4291 2.5.5.2); of an IPv6 address it is the first 64 bits, since one client usually has
 * all 2^64 addresses below them.
 */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (!isMapped) return groups.slice(0, 4).map(hex).join(':')
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

const hex = (group: number): string => group.toString(16)

/** The last 32 bits written as two groups. */
const withoutDots = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, a, b, c, d) => `${hex(a * 256 + +b)}:${hex(c * 256 + +d)}`)

const colon = 58
const percent = 37

/** The eight groups of a valid IPv6 address, without its zone. Parsed by hand: patterns are too slow for a refusal. */
export function groupsOf(text: string): number[] {
  const address = text.includes('.') ? withoutDots(text) : text
  const groups: number[] = []
  let gap = -1
  let group = -1
  for (let at = 0; at < address.length; at++) {
    const character = address.charCodeAt(at)
    if (character === percent) break
    if (character !== colon) {
      const digit = character < colon ? character - 48 : (character | 32) - 87
      group = group === -1 ? digit : group * 16 + digit
    } else if (group === -1) gap = groups.length
    else {
      groups.push(group)
      group = -1
    }
  }
  if (group !== -1) groups.push(group)
  while (gap !== -1 && groups.length < 8) groups.splice(gap, 0, 0)
  return groups
}

/** Networks, with IPv4 separate: node:net would treat 8.8.8.8 as ::ffff:8.8.8.8 and find it in ::/3. */
export interface Networks {
  has(address: string): boolean
}

/** Networks, each an address or CIDR. Throws on anything else. */
export function networksOf(texts: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = familyOf(address)
    if (bits === undefined) lists[family].addAddress(address, family)
    else lists[family].addSubnet(address, Number(bits), family)
  }
  return { has: (address) => lists[familyOf(address)].check(address, familyOf(address)) }
}
