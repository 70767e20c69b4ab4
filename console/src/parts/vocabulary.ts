// Members whose values are words of the API, such as the status of a product: which words are usual, and how they are shown.
import type { Schema } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'

const isWord = (value: string): boolean => /^[A-Za-z]+([_-][A-Za-z]+)*$/.test(value)

/** The usual words of an open vocabulary, or all of a closed one; none for any other member. */
function wordsOf({ enum: all, examples = [] }: Schema): readonly string[] {
  // Tills tell debit cards from credit cards, and the service takes any payment method.
  const usual = examples.flatMap((word) => (word === 'credit_card' ? [word, 'debit_card'] : [word]))
  const words = all ?? usual
  return words.length > 1 && words.every(isWord) ? words : []
}

/** A word as people read it; any other value stays as it is. */
export const shownWord = (schema: Schema, value: string): string =>
  wordsOf(schema).includes(value) ? labelOf(value) : value

/** The word that a text means: one whose label it is, or else the text itself. */
export const wordMeant = (schema: Schema, text: string): string =>
  optionsOf(schema).find(({ label }) => label === text)?.value ?? text

/** The words as options of a choice. */
export const optionsOf = (schema: Schema): { readonly value: string; readonly label: string }[] =>
  wordsOf(schema).map((value) => ({ value, label: labelOf(value) }))
