// Alerts in the reference: their schema and examples.
import { boolean, type JsonSchema, object, shapeDescription, string, time } from '../../core/json-schema.ts'
import { alertKinds, alertStates } from './alert.ts'

const level = object(
  'AlertLevel',
  {
    variantId: string('The variant that is running low.'),
    productId: string('The product of the variant.'),
    outletId: string('The outlet where it is running low.'),
    productName: string('Display name of the product.'),
    variantName: string('The values of its attributes.'),
    outletName: string('Display name of the outlet.'),
    stock: { type: 'number', description: 'Units on hand when it was looked at.' },
  },
  ['variantId', 'outletId', 'stock'],
)

const difference = object(
  'AlertDifference',
  {
    currency: string('ISO 4217 code of the amount.'),
    paymentMethod: string('What was counted.'),
    difference: string('`counted` − `expected`: negative if something is missing.'),
  },
  ['currency', 'paymentMethod', 'difference'],
)

const details: JsonSchema = {
  ...object(
    'AlertDetails',
    {
      kind: { type: 'string', enum: alertKinds, description: 'What the alert is about.' },
      triggerId: string('`webhook`: the automation trigger.'),
      name: string('`webhook`: the name of the trigger, if it has one.'),
      host: string('`webhook`: the host of the receiver.'),
      since: time('`webhook`: since when all calls have failed, or the trigger is switched off.'),
      offReason: string('`webhook`: why the service switched it off; absent while it is called.'),
      importId: string('`import`: identifies what was imported or refused.'),
      fileName: string('`import`: the name of its file.'),
      problem: string('`import`: why it failed; absent if it is done.'),
      refused: { type: 'integer', description: '`import`: the number of refused rows.' },
      below: { type: 'number', description: '`stock`: stock below this number is low.' },
      count: { type: 'integer', description: '`stock`: the number of low levels.' },
      levels: { type: 'array', items: level, description: '`stock`: the lowest of them, twenty at most.' },
      sessionId: string('`session`: the session that was closed.'),
      sessionNumber: string('`session`: the number that the till gave it.'),
      stationName: string('`session`: the till.'),
      outletName: string('`session`: the outlet of the till.'),
      differences: { type: 'array', items: difference, description: '`session`: what differs from what was expected.' },
    },
    ['kind'],
  ),
  description: 'The details; the members depend on `kind`.',
}

const alert = object(
  'Alert',
  {
    id: string('Identifies the alert.'),
    state: {
      type: 'string',
      enum: alertStates,
      description: '`open` while it lasts, `recovered` afterwards; `done` for a single event.',
    },
    details,
    createdAt: time('When it was first noticed.'),
    updatedAt: time('When there was last something new about it.'),
    recoveredAt: time('When it ended; absent while it is open.'),
    isRead: boolean('Whether the person has read it, or the cause is resolved.'),
  },
  ['id', 'state', 'details', 'createdAt', 'updatedAt', 'isRead'],
)

/** The answer of the bell. */
export const alertsSchema = object(
  'Alerts',
  {
    data: { type: 'array', items: alert, description: 'The newest first, fifty at most.' },
    meta: {
      ...object('AlertsMeta', { unread: { type: 'integer', description: 'The number of unread alerts.' } }, ['unread']),
      description: 'The number of alerts.',
    },
  },
  ['data', 'meta'],
)

export const alertsExample = {
  data: [
    {
      id: '6740a1f2c3d4e5f6a7b8c9f1',
      state: 'open',
      details: {
        kind: 'webhook',
        triggerId: '6740a1f2c3d4e5f6a7b8c9f2',
        name: 'Send receipts',
        host: 'hooks.example.com',
        since: '2026-11-21T09:30:00.000Z',
      },
      createdAt: '2026-11-21T09:41:00.000Z',
      updatedAt: '2026-11-21T09:41:00.000Z',
      isRead: false,
    },
    {
      id: '6740a1f2c3d4e5f6a7b8c9f3',
      state: 'open',
      details: {
        kind: 'stock',
        below: 5,
        count: 1,
        levels: [
          {
            variantId: '6740a1f2c3d4e5f6a7b8c9f4',
            productId: '6740a1f2c3d4e5f6a7b8c9f5',
            outletId: '6740a1f2c3d4e5f6a7b8c9f6',
            productName: 'Espresso beans',
            outletName: 'Main Street',
            stock: 2,
          },
        ],
      },
      createdAt: '2026-11-21T09:12:00.000Z',
      updatedAt: '2026-11-21T09:12:00.000Z',
      isRead: false,
    },
    {
      id: '6740a1f2c3d4e5f6a7b8c9f7',
      state: 'done',
      details: {
        kind: 'session',
        sessionId: '6740a1f2c3d4e5f6a7b8c9f8',
        stationName: 'Till 1',
        outletName: 'Main Street',
        differences: [{ currency: 'EUR', paymentMethod: 'cash', difference: '-0.50' }],
      },
      createdAt: '2026-11-20T18:03:00.000Z',
      updatedAt: '2026-11-20T18:03:00.000Z',
      isRead: true,
    },
  ],
  meta: { unread: 2 },
}

const ways = {
  title: 'AlertWays',
  [shapeDescription]: 'Where alerts of a kind go.',
  required: ['bell', 'mail'],
  type: 'object',
  properties: {
    bell: boolean('Whether the bell of the console shows this kind.'),
    mail: boolean('Whether this kind is mailed, if the service has a mail server.'),
  },
}

/** What a person has chosen for each kind. */
export const settingsSchema: JsonSchema = object(
  'AlertSettings',
  {
    ...Object.fromEntries(
      alertKinds.map((kind) => [kind, { ...ways, description: `Alerts of the kind \`${kind}\`.` }]),
    ),
    isMailOn: boolean('Whether the service has a mail server.'),
  },
  [...alertKinds, 'isMailOn'],
)

export const settingsExample = {
  ...Object.fromEntries(alertKinds.map((kind) => [kind, { bell: true, mail: kind !== 'import' }])),
  isMailOn: true,
}
