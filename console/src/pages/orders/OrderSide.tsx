// Beside a receipt: customer, location, employee, and the ids in other systems.
import { Stack, Text } from '@mantine/core'
import type { RecordData } from '../../api/records.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { textOf } from './entries.ts'
import classes from './OrderPage.module.css'

/** The name of a record that the order refers to, if it refers to one. */
const named = (many: string, id: unknown) => textOf(id) && <RecordName many={many} id={String(id)} />

export function OrderSide({ record }: { record: RecordData }) {
  const format = useFormat()
  return (
    <aside className={classes.side} aria-label={text.facts}>
      <People record={record} />
      <Card title={text.place}>
        <Facts
          isList
          facts={[
            [text.outlet, named('outlets', record.outletId)],
            [text.station, named('stations', record.stationId)],
            [text.session, named('sessions', record.sessionId)],
            [text.employee, named('accounts', record.employee)],
            [text.source, textOf(record.source) && labelOf(String(record.source))],
            [text.occurredAt, record.occurredAt && format.dateTime(record.occurredAt)],
            [labelOf('createdAt'), format.dateTime(record.createdAt)],
            [labelOf('currency'), textOf(record.currency)],
          ]}
        />
      </Card>
      <Card title={text.facts}>
        <Facts
          isList
          facts={[
            [labelOf('id'), <CopyValue key="id" value={record.id} label={labelOf('id')} />],
            [
              labelOf('externalId'),
              textOf(record.externalId) && <CopyValue value={record.externalId} label={labelOf('externalId')} />,
            ],
            ...metadataOf(record),
          ]}
        />
      </Card>
    </aside>
  )
}

const metadataOf = ({ metadata }: RecordData): [string, string][] =>
  (Array.isArray(metadata) ? metadata : []).map(({ key, value }) => [String(key), String(value)])

function addressOf(address: Readonly<Record<string, unknown>> | undefined): string[] {
  const part = (...names: string[]) =>
    names
      .map((name) => textOf(address?.[name]))
      .filter(Boolean)
      .join(' ')
  return [
    part('firstName', 'lastName'),
    part('company'),
    part('address1'),
    part('address2'),
    part('postCode', 'city'),
    part('state', 'country'),
    part('phone'),
    part('email'),
  ].filter((line) => line !== '')
}

const Address = ({ lines }: { lines: readonly string[] }) => (
  <address className={classes.address}>
    {lines.map((line) => (
      <div key={line}>
        <bdi>{line}</bdi>
      </div>
    ))}
  </address>
)

/** The customer, the addresses, and what the customer wrote. */
function People({ record }: { record: RecordData }) {
  const billing = addressOf(record.billing)
  const shipping = addressOf(record.shipping)
  const signature = textOf(record.signature)
  return (
    <Card title={text.people}>
      <Stack gap="sm">
        <Text size="sm" component="div" className="name">
          {named('customers', record.customerId) ?? <span className="muted">{text.noCustomer}</span>}
        </Text>
        <Facts
          isList
          facts={[
            ...(billing.length > 0 ? ([[text.billing, <Address key="billing" lines={billing} />]] as const) : []),
            ...(shipping.length > 0 ? ([[text.shippingTo, <Address key="shipping" lines={shipping} />]] as const) : []),
            [text.customerNote, textOf(record.customerNote)],
          ]}
        />
        {signature && /^[A-Za-z0-9+/=\s]+$/.test(signature) && (
          <Facts
            isList
            facts={[
              [
                text.signature,
                <img
                  key="signature"
                  className={classes.signature}
                  src={`data:image/png;base64,${signature}`}
                  alt={text.signature}
                />,
              ],
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
