// The members that an event changed, each with its value before and after.
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Picture } from '../../../parts/Picture.tsx'
import { isUnset, Value } from '../../../parts/Value.tsx'
import { text } from '../../../texts/history.ts'
import type { Change } from './changes.ts'
import classes from './History.module.css'

/** Members that are shown at once. */
const atOnce = 8

interface ChangeListProps {
  readonly changes: readonly Change[]
  /** Of the record's amounts. */
  readonly currency: string | undefined
}

export function ChangeList({ changes, currency }: ChangeListProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? changes : changes.slice(0, atOnce)
  return (
    <dl className={classes.changes}>
      {shown.map((change) => (
        <div key={change.label}>
          <dt>{change.label}</dt>
          <dd>
            <Sides {...change} currency={currency} />
          </dd>
        </div>
      ))}
      {shown.length < changes.length && (
        <Anchor component="button" type="button" fz="sm" onClick={() => setWhole(true)}>
          {text.more(changes.length - shown.length)}
        </Anchor>
      )}
    </dl>
  )
}

/** Lists of texts by what was added and removed; other values before and after. */
function Sides({ member, schema, before, after, currency }: Change & { currency: string | undefined }) {
  const show = (value: unknown) => <Side {...{ member, schema, value, currency }} />
  if (isTexts(before) && isTexts(after)) {
    const removed = before.filter((one) => !after.includes(one))
    const added = after.filter((one) => !before.includes(one))
    if (removed.length + added.length > 0)
      return (
        <>
          {removed.length > 0 && <del>{show(removed)}</del>}
          {added.length > 0 && <ins>{show(added)}</ins>}
        </>
      )
  }
  return (
    <>
      {!isUnset(before) && <del>{show(before)}</del>}
      {isUnset(after) ? <span className="muted">{text.removed}</span> : <ins>{show(after)}</ins>}
    </>
  )
}

const isTexts = (value: unknown): value is readonly string[] =>
  isUnset(value) ? false : Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A value; of a list of objects only how many there are. */
function Side({
  member,
  schema,
  value,
  currency,
}: Omit<Change, 'label' | 'before' | 'after'> & { value: unknown; currency: string | undefined }) {
  if (member === 'images' && Array.isArray(value)) return value.map((url) => <Picture key={url} url={url} size={28} />)
  if (Array.isArray(value) && value.some((one) => typeof one === 'object')) return text.entries(value.length)
  return <Value {...{ member, schema, value, currency }} />
}
