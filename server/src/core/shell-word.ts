// Quotes text for a shell: in commands that PostgreSQL runs, and in those that an operator copies.

/** A text as one word of a shell; plain words stay as they are. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
