// The input of an open vocabulary: it offers and shows the usual values in words, and takes any other one as it is typed.
import { Autocomplete, type AutocompleteProps, Combobox } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../api/resources.ts'
import { optionsOf, shownWord, wordMeant } from './vocabulary.ts'

interface WordInputProps extends Omit<AutocompleteProps, 'data' | 'value' | 'onChange'> {
  readonly schema: Schema
  readonly value: string
  readonly onChange: (value: string) => void
}

export function WordInput({ schema, value, onChange, ...common }: WordInputProps) {
  const options = optionsOf(schema)
  const [typed, setTyped] = useState(() => shownWord(schema, value))
  // What is typed stays as it is; a value from elsewhere, such as the record's after discarding, is shown in words.
  const shown = wordMeant(schema, typed) === value ? typed : shownWord(schema, value)
  return (
    <Autocomplete
      {...common}
      // As at a choice: nothing else shows that there are options.
      rightSection={<Combobox.Chevron />}
      rightSectionPointerEvents="none"
      data={options.length > 0 ? options.map(({ label }) => label) : [...(schema.examples ?? [])]}
      value={shown}
      // A value that is already a word hides no other one.
      filter={wordMeant(schema, shown) === shown ? undefined : ({ options: all }) => all}
      onChange={(text) => {
        setTyped(text)
        onChange(wordMeant(schema, text))
      }}
    />
  )
}
