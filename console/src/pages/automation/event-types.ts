// The event types that exist, and what a trigger's type or pattern matches.

import type { Resource } from '../../api/resources.ts'
import { inSentence } from '../../language.ts'
import { text } from '../../texts/automation.ts'
import { labelOf } from '../../texts/members.ts'

interface KnownType {
  /** A type, or a pattern of types. */
  readonly value: string
  readonly hint: string
}

interface TypeGroup {
  readonly title: string
  readonly types: readonly KnownType[]
}

/** The types that triggers can subscribe to. */
export interface EventTypes {
  /** Grouped by resource; `*` first. */
  readonly groups: readonly TypeGroup[]
  /** Names that triggers used before events had types, with the types that they mean. */
  readonly older: ReadonlyMap<string, string>
}

/** The types that records raise, as the server declares them, and the others. */
export function eventTypesOf(resources: readonly Resource[]): EventTypes {
  const trigger = resources.find(({ many }) => many === 'automation-triggers')
  const { schema } = trigger?.members.find(({ name }) => name === 'triggerType') ?? {}
  const tables = text.customTables.map(({ one, singular, title }) => ({
    one,
    singular,
    title,
    eventTypes: ['created', 'updated', 'deleted'].map((verb) => `${one}.${verb}`),
  }))
  const groups = [...resources, ...tables].flatMap(({ one, singular, title, eventTypes }): TypeGroup[] => {
    if (eventTypes.length === 0) return []
    const types = eventTypes.map((value) => ({
      value,
      hint: text.happened(labelOf(singular), value.slice(one.length + 1).replaceAll('_', ' ')),
    }))
    return [{ title, types: [{ value: `${one}.*`, hint: text.allOf(inSentence(title)) }, ...types] }]
  })
  return {
    groups: [
      { title: text.everything, types: [{ value: '*', hint: text.everythingHint }] },
      ...groups,
      { title: text.ownEvents, types: [{ value: 'custom.*', hint: text.ownEventsHint }] },
    ],
    older: new Map(Object.entries(schema?.['x-older-names'] ?? {})),
  }
}

/** The older names as a group of their own. */
export const olderGroup = ({ older }: EventTypes): TypeGroup => ({
  title: text.olderNames,
  types: [...older].map(([value, type]) => ({ value, hint: text.stored(type) })),
})

/** Whether a pattern matches a type. */
const fits = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type

/** A type or a pattern as the server accepts it. */
const typed = /^[a-z-]+(?:\.[a-z0-9._-]+|\.(?:[a-z0-9._-]+\.)?\*)$/

interface Meaning {
  readonly message?: string
  readonly isWarning?: boolean
  /** The known types that it matches. */
  readonly types: readonly string[]
}

/** The meaning of a trigger's type or pattern. */
export function meaningOf(word: string, { groups, older }: EventTypes): Meaning {
  if (word === '*') return { message: text.firesAll, types: [] }
  const sameAs = older.get(word)
  if (sameAs !== undefined) return { message: text.stored(sameAs), types: [sameAs] }
  if (!typed.test(word)) return { message: text.neverFires, isWarning: true, types: [] }
  if (word.startsWith('custom.')) return { message: word.endsWith('*') ? text.firesOwnAll : text.firesOwn, types: [] }
  const types = groups
    .flatMap((group) => group.types.map(({ value }) => value))
    .filter((type) => type.includes('.') && !type.endsWith('*') && fits(word, type))
  return types.length === 0 ? { message: text.unknownType, isWarning: true, types } : { types }
}
