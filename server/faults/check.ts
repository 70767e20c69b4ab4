// Compares the responses that the tills got with the state of the service: records over HTTP, events over SQL.
import type { Database } from '../src/database/connect.ts'
import type { Company } from './company.ts'
import type { Findings } from './findings.ts'
import { kinds, sale } from './kinds.ts'
import { readRecords } from './records.ts'
import { checkSales, isHot } from './sales.ts'
import { isSuccess } from './tills.ts'
import { answered, type Work, type WorkItem } from './works.ts'

/** An event as it is in the table. */
interface Event {
  readonly type: string
  readonly recordId: string
  /** The transaction that wrote it. */
  readonly writtenIn: string
  readonly data: string
  readonly changed: readonly string[]
}

type Body = Record<string, unknown>

/** What is checked, and how to reach it. */
interface Checked {
  readonly database: Database
  readonly url: string
  readonly companies: readonly Company[]
  readonly works: readonly Work[]
  readonly withoutKeys: boolean
}

/** Finds works that are lost, done twice, half done, or different from their response. */
export async function check(
  findings: Findings,
  { database, url, companies, works, withoutKeys }: Checked,
): Promise<void> {
  for (const company of companies) {
    const events = (await readEvents(database, company)).filter(({ data }) => !isHot(JSON.parse(data)))
    const records = await readRecords(url, company)
    for (const [id, record] of records) if (isHot(record)) records.delete(id)
    const own = works.filter((work) => work.company === company)
    const byWork = eventsByWork(events, own)
    const claimed = new Set<Event>()
    for (const work of own) checkWork(findings, work, byWork, claimed)
    if (!withoutKeys) checkKeys(findings, own, byWork, await readKeys(database, company))
    checkRecords(findings, events, records, claimed)
    await checkSales(findings, database, company.id)
  }
}

async function readEvents(database: Database, { id }: Company): Promise<Event[]> {
  const rows = await database.query(
    `select type, record_id, written_in::text, data, (select json_agg(name) from json_object_keys(previous) as name)
     from events where company_id = $1 order by sequence`,
    [id],
  )
  return rows.map(([type, recordId, writtenIn, data, changed]) => ({
    type,
    recordId,
    writtenIn,
    data,
    changed: changed === null ? [] : JSON.parse(changed),
  }))
}

/** Events by their content: the create of a mark, or the change of a record's member to a value. */
function eventsByWork(events: readonly Event[], works: readonly Work[]): Map<string, Event[]> {
  const asked = new Set(works.flatMap((work) => work.items.map((item) => nameOf(work, item))))
  const found = new Map<string, Event[]>()
  for (const event of events) {
    const [one, verb] = event.type.split('.')
    const kind = kinds.find((candidate) => candidate.one === one)
    if (kind === undefined) continue
    const data = JSON.parse(event.data)
    const isChange = verb === 'updated' && event.changed.includes(kind.change)
    if (!isChange && verb !== 'created') continue
    const name = isChange
      ? nameOf({ kind, isCreate: false }, { id: event.recordId, value: data[kind.change] })
      : nameOf({ kind, isCreate: true }, { value: data[kind.mark] })
    // A variant's stock creates inventory records of its own, which no work requested by name.
    if (asked.has(name)) found.set(name, [...(found.get(name) ?? []), event])
  }
  return found
}

const nameOf = ({ kind, isCreate }: Pick<Work, 'kind' | 'isCreate'>, { id, value }: WorkItem): string =>
  `${kind.one} ${isCreate ? 'created' : id} ${value}`

function checkWork(findings: Findings, work: Work, byWork: Map<string, Event[]>, claimed: Set<Event>): void {
  const { answer, otherAnswer, items, isBulk } = work
  const reported = `${work.method} ${work.path} ${work.key} (${work.habit}, ${work.tries} tries)`
  const done = items.map((item) => byWork.get(nameOf(work, item)) ?? [])
  for (const event of done.flat()) claimed.add(event)
  const most = Math.max(...done.map((events) => events.length))
  if (most > 1) findings.twice.push(`${reported}: done ${most} times`)
  const transactions = new Set(done.flat().map(({ writtenIn }) => writtenIn))
  const written = done.filter((events) => events.length > 0).length
  if (isBulk && written > 0 && written < items.length)
    findings.half.push(`${reported}: ${written} of ${items.length} items are there`)
  else if (isBulk && most === 1 && transactions.size > 1)
    findings.half.push(`${reported}: written in ${transactions.size} transactions`)

  if (otherAnswer && (otherAnswer.status !== answer?.status || otherAnswer.text !== answer.text))
    findings.wrong.push(
      `${reported}: two equal requests were answered ${answer?.status} and ${otherAnswer.status}, or other texts`,
    )
  if (answer === undefined) {
    if (work.habit !== 'forgetful') findings.wrong.push(`${reported}: no answer in all that time`)
    return
  }
  if (!isSuccess(answer)) {
    findings.wrong.push(`${reported}: refused with ${answer.status} ${answer.text}`)
    return
  }
  const records = answered(work, answer)
  items.forEach((item, n) => {
    const texts = (done[n] as Event[]).map(({ data }) => JSON.stringify(JSON.parse(data)))
    const record = JSON.stringify(records[n])
    if (record === undefined) findings.wrong.push(`${reported}: item ${n} was refused: ${answer.text}`)
    else if (texts.length === 0)
      findings.lost.push(`${reported}: answered ${answer.status}, and no event contains ${item.value}`)
    else if (!texts.includes(record))
      findings.wrong.push(`${reported}: answered ${record}, and the event has ${texts[0]}`)
  })
}

async function readKeys(database: Database, { id }: Company): Promise<Set<string>> {
  const rows = await database.query('select key from idempotency_keys where owner_id = $1', [id])
  return new Set(rows.map(([key]) => key))
}

/** A key is kept exactly when its work was done, also that of a till without a response. */
function checkKeys(
  findings: Findings,
  works: readonly Work[],
  byWork: Map<string, Event[]>,
  kept: ReadonlySet<string>,
): void {
  for (const work of works) {
    const isDone = work.items.some((item) => byWork.has(nameOf(work, item)))
    if (isDone !== kept.has(work.key))
      findings.wrong.push(`${work.key}: ${isDone ? 'done, and its key is not kept' : 'not done, and its key is kept'}`)
  }
}

/** Each record equals its last event and was created by one event, and every event was requested. */
function checkRecords(
  findings: Findings,
  events: readonly Event[],
  records: ReadonlyMap<string, Body>,
  claimed: ReadonlySet<Event>,
): void {
  const byRecord = Map.groupBy(
    events.filter(
      ({ type }) => /\.(created|updated)$/.test(type) && kinds.some(({ one }) => type.startsWith(`${one}.`)),
    ),
    ({ recordId }) => recordId,
  )
  for (const [id, own] of byRecord) {
    const created = own.filter(({ type }) => type.endsWith('.created')).length
    if (created !== 1) findings.wrong.push(`record ${id} has ${created} events of its creation`)
    const record = records.get(id)
    const last = own.at(-1) as Event
    if (record === undefined) findings.lost.push(`${last.type} ${id}: the event is there, and the record is not`)
    else if (JSON.stringify(record) !== JSON.stringify(JSON.parse(last.data)))
      findings.wrong.push(`record ${id} is ${JSON.stringify(record)}, and its last event has ${last.data}`)
  }
  for (const id of records.keys()) if (!byRecord.has(id)) findings.wrong.push(`record ${id} has no event`)
  for (const event of events)
    if (!claimed.has(event) && isWork(event))
      findings.wrong.push(`${event.type} ${event.recordId}: no till asked for it: ${event.data}`)
}

/**
 * Whether a till must have requested an event. A variant's stock creates inventory records of its own, and a refund
 * changes sums and the status of its order, but not the member that tills change.
 */
const isWork = ({ type, changed }: Event): boolean =>
  !(type === 'order.updated' && !changed.includes(sale.change)) &&
  kinds.some(({ one }) => type === `${one}.updated` || (type === `${one}.created` && one !== 'inventory'))
