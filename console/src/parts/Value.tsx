// Shows one member of a record as text, according to its declaration.
import { Badge, Group, Text } from '@mantine/core'
import { Fragment } from 'react'
import { isDecimal, referenceOf, type Schema } from '../api/resources.ts'
import { locale } from '../language.ts'
import { labelOf, wordOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { useFormat } from './format.ts'
import { RecordName } from './RecordName.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { shownWord } from './vocabulary.ts'

/** Members whose numbers are prices. */
const prices = new Set(['price', 'salePrice', 'costPrice', 'minPrice', 'maxPrice'])
/** Values of open vocabularies with a proper spelling. */
const words = new Set(['paymentMethod', 'paymentType', 'productType'])
const statuses = new Set(['status', 'type'])

export const isMoney = (member: string, schema: Schema): boolean => prices.has(member) || isAmount(member, schema)

/** Money that is paid or counted; the price of a unit may be finer than its currency. */
export const isAmount = (member: string, schema: Schema): boolean =>
  isDecimal(schema) && member !== 'percentage' && !prices.has(member)

/** Whether a value says nothing, as an empty list does. */
export const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

interface ValueProps {
  readonly member: string
  readonly schema: Schema
  readonly value: unknown
  /** If it differs from the company's. */
  readonly currency?: string | undefined
  /** In a cell: short, and without links. */
  readonly isCell?: boolean
  /** Without links, as what a click chooses. */
  readonly isPlain?: boolean
}

export function Value({ member, schema, value, currency, isCell = false, isPlain = isCell }: ValueProps) {
  const format = useFormat()
  if (isUnset(value)) return <span className="muted">{isCell ? '' : '—'}</span>
  const reference = referenceOf(member)
  if (reference !== undefined && typeof value === 'string')
    return <RecordName many={reference} id={value} isPlain={isPlain} isShort={isCell} />
  if (Array.isArray(value))
    return <List member={member} schema={schema.items ?? {}} values={value} {...{ isCell, isPlain }} />
  if (typeof value === 'boolean') return value ? text.yes : isCell ? <span className="muted">{text.no}</span> : text.no
  if (statuses.has(member)) return <StatusBadge value={String(value)} />
  if (words.has(member)) return <bdi>{wordOf(String(value))}</bdi>
  if (prices.has(member)) return format.price(value as string | number, currency)
  if (isMoney(member, schema)) return format.money(value as string, currency)
  if (schema.format === 'date-time') return <time dateTime={String(value)}>{format.dateTime(String(value))}</time>
  if (typeof value === 'number') return format.number(value)
  if (typeof value === 'object') return <Parts {...{ schema, currency, isCell, isPlain }} value={value as Entry} />
  return <bdi>{shownWord(schema, String(value))}</bdi>
}

type Entry = Readonly<Record<string, unknown>>

interface PartsProps extends Pick<ValueProps, 'schema' | 'currency' | 'isCell' | 'isPlain'> {
  readonly value: Entry
}

/** The parts of an object in one line: “Cash €347.50 · Card €1,204.00”. The names of a map are values of their own, such as payment methods. */
function Parts({ schema, value, ...shared }: PartsProps) {
  const { properties, additionalProperties } = schema
  const inner = typeof additionalProperties === 'object' ? additionalProperties : {}
  return Object.entries(value)
    .filter(([, part]) => !isUnset(part))
    .map(([name, part], n) => (
      <Fragment key={name}>
        {n > 0 && ' · '}
        <span className="muted">{properties?.[name] ? labelOf(name) : wordOf(name)}</span>{' '}
        <Value member={name} schema={properties?.[name] ?? inner} value={part} {...shared} />
      </Fragment>
    ))
}

/** The number of entries; of those that are on or off, such as the permissions of a role, how many are on: one may list only these. */
function countOf(values: readonly unknown[]): string {
  const states = values.map((entry) => (entry as { readonly value?: unknown } | null)?.value)
  const isSwitched = states.every((state) => typeof state === 'boolean')
  return (isSwitched ? states.filter(Boolean) : values).length.toLocaleString(locale)
}

interface ListProps extends Omit<ValueProps, 'value' | 'currency'> {
  /** Of an entry. */
  readonly schema: Schema
  readonly values: readonly unknown[]
}

function List({ member, schema, values, isCell = false, isPlain }: ListProps) {
  const reference = referenceOf(member)
  if (values.some((value) => typeof value === 'object'))
    return isCell ? (
      <Text span inherit c="dimmed">
        {countOf(values)}
      </Text>
    ) : (
      values.map((value, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
        <div key={n}>
          <Value {...{ member, schema, value, isPlain }} />
        </div>
      ))
    )
  // More of them would be cut to a letter each.
  const shown = isCell ? values.slice(0, 2) : values
  return (
    <Group gap={4} wrap={isCell ? 'nowrap' : 'wrap'}>
      {shown.map((value) => (
        <Badge key={String(value)} color="gray" maw={220}>
          {reference === undefined ? (
            <bdi>{shownWord(schema, String(value))}</bdi>
          ) : (
            <RecordName many={reference} id={String(value)} isPlain />
          )}
        </Badge>
      ))}
      {values.length > shown.length && <span className="muted">+{values.length - shown.length}</span>}
    </Group>
  )
}
