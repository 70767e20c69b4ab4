// Caches of a bounded number of entries that cost nothing until they fill: the library reserves arrays for `max` entries at once, 10 to 30 ms and some MB for each cache of a service.
import { LRUCache } from 'lru-cache'

/** A cache of at most `entries`; the least recently used one leaves first. With `ttl`, each stays for that many milliseconds. */
export const lruCache = <Key extends {}, Value extends {}>(
  entries: number,
  options: { readonly ttl?: number } = {},
): LRUCache<Key, Value> => new LRUCache({ ...options, maxSize: entries, sizeCalculation: () => 1 })

/**
 * A cache of at most `entries` and of at most `size` in all, by the size of each. Each entry counts as at least `size /
 * entries`, so that one bound enforces both.
 */
export const sizedLruCache = <Key extends {}, Value extends {}>(
  { entries, size }: { readonly entries: number; readonly size: number },
  sizeOf: (value: Value) => number,
): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: size, sizeCalculation: (value) => Math.max(sizeOf(value), Math.ceil(size / entries)) })
