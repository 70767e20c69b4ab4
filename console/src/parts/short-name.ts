// Names in the titles of questions, which show a whole sentence in a few lines.

/** With a sentence around it, a name of this length fits in the three lines of a dialog's title, also on a phone. */
const NAME_CHARACTERS = 48

/** The name as a question's title has it: the end of a long one is cut off, so that the end of the sentence is not. */
export function shortName(name: string): string {
  const characters = [...name]
  return characters.length > NAME_CHARACTERS
    ? `${characters
        .slice(0, NAME_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`
    : name
}
