// Which pages and actions fit what is typed: every word begins one of their words, in any order.

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter(Boolean)

/** The entries that fit, in their order; those whose label fits come before those found by a synonym. */
export function fitting<Entry extends { readonly label: string }>(
  entries: readonly Entry[],
  typed: string,
  synonyms: Readonly<Record<string, string>>,
): readonly Entry[] {
  const sought = wordsOf(typed)
  const fits = (words: readonly string[]) => sought.every((word) => words.some((each) => each.startsWith(word)))
  const named = entries.filter(({ label }) => fits(wordsOf(label)))
  const others = entries.filter(
    (entry) => !named.includes(entry) && fits(wordsOf(`${entry.label} ${synonyms[entry.label] ?? ''}`)),
  )
  return [...named, ...others]
}
