// Requests for many records, few of them at once.

/** Browsers send no more to one host. */
const lanes = 6

/** Calls `work` for each item, a few at once, and returns the results in the order of the items. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [n, item] of waiting) results[n] = await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
