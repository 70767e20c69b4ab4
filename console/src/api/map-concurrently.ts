// Requests for many records, few of them at once.

/** Browsers send no more to one host. */
const requestsAtOnce = 6

/** Calls `work` for each item, a few at once, and returns the results in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [n, item] of waiting) results[n] = await work(item)
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, worker))
  return results
}
