// Names of PostgreSQL's log segments (its manual, "WAL Internals"), so that a chain of them can be followed and checked.

/** A log sequence number, `16/B374D848`, as a number. */
export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The number of the segment that holds a byte of the log. */
export const segmentAt = (lsn: string, segmentBytes: number): bigint => lsnOf(lsn) / BigInt(segmentBytes)

/** The number of the segment that holds the last byte before a place. */
export const segmentBefore = (lsn: string, segmentBytes: number): bigint => (lsnOf(lsn) - 1n) / BigInt(segmentBytes)

/** A segment's file name: timeline, and the two parts of its number. */
export function segmentName(timeline: number, segment: bigint, segmentBytes: number): string {
  const each = 0x1_0000_0000n / BigInt(segmentBytes)
  return [BigInt(timeline), segment / each, segment % each].map(hex).join('')
}

const hex = (number: bigint): string => number.toString(16).toUpperCase().padStart(8, '0')

/** Whether a file says where a timeline branched off. */
export const isHistoryName = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name)

/** The timeline and number in a segment's name; undefined for any other file. */
export function parseSegmentName(
  name: string,
  segmentBytes: number,
): { timeline: number; segment: bigint } | undefined {
  if (!/^[0-9A-F]{24}$/.test(name)) return undefined
  const [timeline = 0n, high = 0n, low = 0n] = [0, 8, 16].map((at) => BigInt(`0x${name.slice(at, at + 8)}`))
  return { timeline: Number(timeline), segment: high * (0x1_0000_0000n / BigInt(segmentBytes)) + low }
}
