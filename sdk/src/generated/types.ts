// Written by `npm run sdk` from openapi.sdk.json.
import type { CustomerColumns, CustomerCreateColumns, CustomerUpdateColumns } from './columns.ts'
import type { Event } from './events.ts'

export type { Event }

export interface AcceptedInvitation {
  /** Id of the member. */
  id: string
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** For an invitation to one company: its id. */
  companyId?: string | undefined
  /** The organization of the invitation or of that company. */
  organizationId: string
}

/** A person who works for the company. It is a record, not a sign-in. */
export interface Account {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** E-mail address of the person. Two accounts may have the same address. */
  email: string
  /** Full name of the person, as tills and receipts show it. */
  name?: string | undefined
  /** Phone number of the person, in any notation. */
  phone?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface AccountBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (AccountBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface AccountBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A person who works for the company. It is a record, not a sign-in. */
  data: Account
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface AccountCreate {
  /** E-mail address of the person. Two accounts may have the same address. */
  email: string
  /** Full name of the person, as tills and receipts show it. */
  name?: string | null | undefined
  /** Phone number of the person, in any notation. */
  phone?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AccountCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AccountCreateItem[]
} | AccountCreateItem[]

export type AccountCreateItem = AccountCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface AccountPage {
  /** The records of the page, in the order of the list. */
  data: Account[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface AccountUpdate {
  /** E-mail address of the person. Two accounts may have the same address. */
  email?: string | undefined
  /** Full name of the person, as tills and receipts show it. */
  name?: string | null | undefined
  /** Phone number of the person, in any notation. */
  phone?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AccountUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AccountUpdateItem[]
} | AccountUpdateItem[]

export type AccountUpdateItem = AccountUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<AccountUpdate[Name], undefined> })

export interface Actor {
  /** An API key, or a user who can sign in. */
  type: 'key' | 'user'
  /** The `actor.id` of events. */
  id: string
  /** Display name; for a user without one, the e-mail address. A viewer gets no addresses, and no names of the organization’s keys. */
  name?: string | undefined
}

export interface Actors {
  /** The keys and the people, in no particular order. */
  data: Actor[]
}

/** A postal address, and how to reach the person or business there. */
export interface Address {
  /** First name of the person at the address. */
  firstName?: string | undefined
  /** Last name of the person at the address. */
  lastName?: string | undefined
  /** The business at the address. */
  company?: string | undefined
  /** Street and house number. */
  address1?: string | undefined
  /** A second line: apartment, floor or building. */
  address2?: string | undefined
  /** City, town or village. */
  city?: string | undefined
  /** State, province or region. */
  state?: string | undefined
  /** Country, preferably as an ISO 3166-1 alpha-2 code. */
  country?: string | undefined
  /** Postal code or ZIP code. */
  postCode?: string | undefined
  /** Phone number to call about a delivery or an invoice. */
  phone?: string | undefined
  /** E-mail address for messages about a delivery or an invoice. */
  email?: string | undefined
}

export interface Alert {
  /** Identifies the alert. */
  id: string
  /** `open` while it lasts, `recovered` afterwards; `done` for a single event. */
  state: 'open' | 'recovered' | 'done'
  /** The details; the members depend on `kind`. */
  details: AlertDetails
  /** When it was first noticed. */
  createdAt: string
  /** When there was last something new about it. */
  updatedAt: string
  /** When it ended; absent while it is open. */
  recoveredAt?: string | undefined
  /** Whether the person has read it, or the cause is resolved. */
  isRead: boolean
}

/** The details; the members depend on `kind`. */
export interface AlertDetails {
  /** What the alert is about. */
  kind: 'webhook' | 'import' | 'stock' | 'session'
  /** `webhook`: the automation trigger. */
  triggerId?: string | undefined
  /** `webhook`: the name of the trigger, if it has one. */
  name?: string | undefined
  /** `webhook`: the host of the receiver. */
  host?: string | undefined
  /** `webhook`: since when all calls have failed, or the trigger is switched off. */
  since?: string | undefined
  /** `webhook`: why the service switched it off; absent while it is called. */
  offReason?: string | undefined
  /** `import`: identifies what was imported or refused. */
  importId?: string | undefined
  /** `import`: the name of its file. */
  fileName?: string | undefined
  /** `import`: why it failed; absent if it is done. */
  problem?: string | undefined
  /** `import`: the number of refused rows. */
  refused?: number | undefined
  /** `stock`: stock below this number is low. */
  below?: number | undefined
  /** `stock`: the number of low levels. */
  count?: number | undefined
  /** `stock`: the lowest of them, twenty at most. */
  levels?: AlertLevel[] | undefined
  /** `session`: the session that was closed. */
  sessionId?: string | undefined
  /** `session`: the number that the till gave it. */
  sessionNumber?: string | undefined
  /** `session`: the till. */
  stationName?: string | undefined
  /** `session`: the outlet of the till. */
  outletName?: string | undefined
  /** `session`: what differs from what was expected. */
  differences?: AlertDifference[] | undefined
}

export interface AlertDifference {
  /** ISO 4217 code of the amount. */
  currency: string
  /** What was counted. */
  paymentMethod: string
  /** `counted` − `expected`: negative if something is missing. */
  difference: string
}

export interface AlertLevel {
  /** The variant that is running low. */
  variantId: string
  /** The product of the variant. */
  productId?: string | undefined
  /** The outlet where it is running low. */
  outletId: string
  /** Display name of the product. */
  productName?: string | undefined
  /** The values of its attributes. */
  variantName?: string | undefined
  /** Display name of the outlet. */
  outletName?: string | undefined
  /** Units on hand when it was looked at. */
  stock: number
}

export interface AlertSettings {
  /** Alerts of the kind `webhook`. */
  webhook: AlertWays
  /** Alerts of the kind `import`. */
  import: AlertWays
  /** Alerts of the kind `stock`. */
  stock: AlertWays
  /** Alerts of the kind `session`. */
  session: AlertWays
  /** Whether the service has a mail server. */
  isMailOn: boolean
}

export interface AlertSettingsChange {
  /** What changes for the kind `webhook`. */
  webhook?: {
    /** Whether the bell shows this kind. */
    bell?: boolean | undefined
    /** Whether this kind is mailed. */
    mail?: boolean | undefined
  } | undefined
  /** What changes for the kind `import`. */
  import?: {
    /** Whether the bell shows this kind. */
    bell?: boolean | undefined
    /** Whether this kind is mailed. */
    mail?: boolean | undefined
  } | undefined
  /** What changes for the kind `stock`. */
  stock?: {
    /** Whether the bell shows this kind. */
    bell?: boolean | undefined
    /** Whether this kind is mailed. */
    mail?: boolean | undefined
  } | undefined
  /** What changes for the kind `session`. */
  session?: {
    /** Whether the bell shows this kind. */
    bell?: boolean | undefined
    /** Whether this kind is mailed. */
    mail?: boolean | undefined
  } | undefined
}

/** Where alerts of a kind go. */
export interface AlertWays {
  /** Whether the bell of the console shows this kind. */
  bell: boolean
  /** Whether this kind is mailed, if the service has a mail server. */
  mail: boolean
}

export interface Alerts {
  /** The newest first, fifty at most. */
  data: Alert[]
  /** The number of alerts. */
  meta: AlertsMeta
}

/** The number of alerts. */
export interface AlertsMeta {
  /** The number of unread alerts. */
  unread: number
}

export interface AlertsRead {
  /** The alerts; all if absent. */
  ids?: string[] | undefined
}

/** A sent amount that differs from the computed one. */
export interface AmountCheck {
  /** JSON pointer of the amount. */
  pointer?: string | undefined
  /** The amount as it was sent and is stored. */
  sent?: string | undefined
  /** The computed amount. */
  computed?: string | undefined
}

/** A file of the company: kept by the service, in `file`, or stored elsewhere at `url`. */
export interface Attachment {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The account of the person who added the file. */
  accountId?: string | undefined
  /** File name as people see it. */
  name: string
  /** Media type of the file. */
  mimeType?: string | undefined
  /** Where the file was before it was copied to `url`. */
  originalUrl?: string | undefined
  /** Where the file can be downloaded. */
  url?: string | undefined
  /** Where the file is inside its storage, such as the key in a bucket. */
  path?: string | undefined
  /** The file that the service keeps. Absent if none was sent to it. */
  file?: AttachmentFile | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface AttachmentBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (AttachmentBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface AttachmentBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A file of the company: kept by the service, in `file`, or stored elsewhere at `url`. */
  data: Attachment
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface AttachmentCreate {
  /** The account of the person who added the file. */
  accountId?: string | null | undefined
  /** File name as people see it. */
  name: string
  /** Media type of the file. */
  mimeType?: string | null | undefined
  /** Where the file was before it was copied to `url`. */
  originalUrl?: string | null | undefined
  /** Where the file can be downloaded. */
  url?: string | null | undefined
  /** Where the file is inside its storage, such as the key in a bucket. */
  path?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** The file that the service keeps. Absent if none was sent to it. */
  file?: AttachmentFile | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AttachmentCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AttachmentCreateItem[]
} | AttachmentCreateItem[]

export type AttachmentCreateItem = AttachmentCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** The file that the service keeps. Absent if none was sent to it. */
export interface AttachmentFile {
  /** Its size in bytes. */
  bytes: number
  /** The content type that it was sent with. */
  contentType: string
  /** The SHA-256 of its bytes, in hexadecimal. */
  sha256: string
  /** When it was sent. */
  uploadedAt: string
}

/** A page of records, and where it is in the list. */
export interface AttachmentPage {
  /** The records of the page, in the order of the list. */
  data: Attachment[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface AttachmentUpdate {
  /** The account of the person who added the file. */
  accountId?: string | null | undefined
  /** File name as people see it. */
  name?: string | undefined
  /** Media type of the file. */
  mimeType?: string | null | undefined
  /** Where the file was before it was copied to `url`. */
  originalUrl?: string | null | undefined
  /** Where the file can be downloaded. */
  url?: string | null | undefined
  /** Where the file is inside its storage, such as the key in a bucket. */
  path?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** The file that the service keeps. Absent if none was sent to it. */
  file?: AttachmentFile | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AttachmentUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AttachmentUpdateItem[]
} | AttachmentUpdateItem[]

export type AttachmentUpdateItem = AttachmentUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<AttachmentUpdate[Name], undefined> })

/** A URL of an automation tool that receives events. */
export interface AutomationTrigger {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The type of the events that it receives, such as `order.completed`; `*` at the end matches any. Any text is accepted, but a trigger with a type that no event has, such as a misspelt one, never fires; if the text resembles a type, the record has `typeHint`. Usually customer.created, order.*, *, new_order; any other value is accepted. */
  triggerType: string
  /** Identifies the trigger in the receiving tool. Calls contain it as `trigger.triggerId`. */
  triggerId?: string | undefined
  /** Where events are sent by POST: an absolute http or https URL on a public address. */
  triggerUrl: string
  /** Display name. Calls contain it. */
  customTriggerName?: string | undefined
  /** Says that the trigger never fires, and which type was probably meant. Present only if no event has the type `triggerType`, but a similar type exists. */
  typeHint?: string | undefined
  /** Whether it is called; true by default. A trigger that is switched on again receives the events from then on. */
  isActive?: boolean | undefined
  /** When it was switched off. */
  inactiveSince?: string | undefined
  /** Why it is switched off. */
  inactiveReason?: string | undefined
  /** Number of concurrent calls. The default, 1, keeps the events in order. */
  maxParallel?: number | undefined
  /** A secret shared with the receiving tool: sent to it as `x-api-key`, and used to sign calls; after `whsec_`, the key is in base64. For 24 hours after it was changed, calls are signed with the former one too. Only the response to the create shows it; all others mask it, and sending the mask back changes nothing. */
  apiKey?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface AutomationTriggerBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (AutomationTriggerBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface AutomationTriggerBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A URL of an automation tool that receives events. */
  data: AutomationTrigger
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface AutomationTriggerCreate {
  /** The type of the events that it receives, such as `order.completed`; `*` at the end matches any. Any text is accepted, but a trigger with a type that no event has, such as a misspelt one, never fires; if the text resembles a type, the record has `typeHint`. Usually customer.created, order.*, *, new_order; any other value is accepted. */
  triggerType: string
  /** Identifies the trigger in the receiving tool. Calls contain it as `trigger.triggerId`. */
  triggerId?: string | null | undefined
  /** Where events are sent by POST: an absolute http or https URL on a public address. */
  triggerUrl: string
  /** Display name. Calls contain it. */
  customTriggerName?: string | null | undefined
  /** Whether it is called; true by default. A trigger that is switched on again receives the events from then on. */
  isActive?: boolean | null | undefined
  /** Number of concurrent calls. The default, 1, keeps the events in order. */
  maxParallel?: number | null | undefined
  /** A secret shared with the receiving tool: sent to it as `x-api-key`, and used to sign calls; after `whsec_`, the key is in base64. For 24 hours after it was changed, calls are signed with the former one too. Only the response to the create shows it; all others mask it, and sending the mask back changes nothing. */
  apiKey?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** Says that the trigger never fires, and which type was probably meant. Present only if no event has the type `triggerType`, but a similar type exists. */
  typeHint?: string | undefined
  /** When it was switched off. */
  inactiveSince?: string | undefined
  /** Why it is switched off. */
  inactiveReason?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AutomationTriggerCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AutomationTriggerCreateItem[]
} | AutomationTriggerCreateItem[]

export type AutomationTriggerCreateItem = AutomationTriggerCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface AutomationTriggerPage {
  /** The records of the page, in the order of the list. */
  data: AutomationTrigger[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface AutomationTriggerUpdate {
  /** The type of the events that it receives, such as `order.completed`; `*` at the end matches any. Any text is accepted, but a trigger with a type that no event has, such as a misspelt one, never fires; if the text resembles a type, the record has `typeHint`. Usually customer.created, order.*, *, new_order; any other value is accepted. */
  triggerType?: string | undefined
  /** Identifies the trigger in the receiving tool. Calls contain it as `trigger.triggerId`. */
  triggerId?: string | null | undefined
  /** Where events are sent by POST: an absolute http or https URL on a public address. */
  triggerUrl?: string | undefined
  /** Display name. Calls contain it. */
  customTriggerName?: string | null | undefined
  /** Whether it is called; true by default. A trigger that is switched on again receives the events from then on. */
  isActive?: boolean | null | undefined
  /** Number of concurrent calls. The default, 1, keeps the events in order. */
  maxParallel?: number | null | undefined
  /** A secret shared with the receiving tool: sent to it as `x-api-key`, and used to sign calls; after `whsec_`, the key is in base64. For 24 hours after it was changed, calls are signed with the former one too. Only the response to the create shows it; all others mask it, and sending the mask back changes nothing. */
  apiKey?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** Says that the trigger never fires, and which type was probably meant. Present only if no event has the type `triggerType`, but a similar type exists. */
  typeHint?: string | undefined
  /** When it was switched off. */
  inactiveSince?: string | undefined
  /** Why it is switched off. */
  inactiveReason?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type AutomationTriggerUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: AutomationTriggerUpdateItem[]
} | AutomationTriggerUpdateItem[]

export type AutomationTriggerUpdateItem = AutomationTriggerUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<AutomationTriggerUpdate[Name], undefined> })

/** Nothing of this item was written. */
export interface BulkError {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was not carried out. */
  status: 'error'
  /** The value from the request. */
  id?: string | undefined
  /** Why the item failed. */
  error: ItemProblem
}

/** How many items succeeded and failed. */
export interface BulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
}

/** A discount on the whole sale. Each line has its part of it. */
export interface CartDiscount {
  /** Name of the discount on the receipt. */
  label?: string | undefined
  /** The whole discount, the sum of `discount.cartDiscount.amount` of the lines. A positive decimal string in `currency`. */
  amount?: string | undefined
  /** The rate in percent of the lines after their own discounts: `10` is 10 %. */
  percentage?: number | undefined
}

/** Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up. */
export interface CashMovement {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The session whose drawer the cash goes into or comes out of. It cannot be changed once the session is a record. */
  sessionId: string
  /** Cash in: `pay-in`, or `float` for more change. Cash out: `pay-out`, or `drop` for cash that is brought to the safe or the bank. */
  type: 'pay-in' | 'pay-out' | 'drop' | 'float'
  /** How much cash was moved: a decimal string in `currency`, always more than zero. */
  amount: string
  /** ISO 4217 code of the amount. Without it, the company’s currency. */
  currency?: string | undefined
  /** When the cash was moved. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** Reason for the movement. */
  reason?: string | undefined
  /** The account or user of the employee who moved the cash. */
  employee?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface CashMovementBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (CashMovementBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CashMovementBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up. */
  data: CashMovement
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CashMovementCreate {
  /** The session whose drawer the cash goes into or comes out of. It cannot be changed once the session is a record. */
  sessionId: string
  /** Cash in: `pay-in`, or `float` for more change. Cash out: `pay-out`, or `drop` for cash that is brought to the safe or the bank. */
  type: 'pay-in' | 'pay-out' | 'drop' | 'float'
  /** How much cash was moved: a decimal string in `currency`, always more than zero. */
  amount: string
  /** ISO 4217 code of the amount. Without it, the company’s currency. */
  currency?: string | null | undefined
  /** When the cash was moved. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** Reason for the movement. */
  reason?: string | null | undefined
  /** The account or user of the employee who moved the cash. */
  employee?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CashMovementCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (CashMovementCreateItem | CashMovementUpsertItem)[]
} | (CashMovementCreateItem | CashMovementUpsertItem)[]

export interface CashMovementCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: CashMovementCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (CashMovementCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CashMovementCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up. */
  data: CashMovement
}

/** How many items succeeded and failed. */
export interface CashMovementCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type CashMovementCreateItem = CashMovementCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface CashMovementPage {
  /** The records of the page, in the order of the list. */
  data: CashMovement[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CashMovementUpdate {
  /** The session whose drawer the cash goes into or comes out of. It cannot be changed once the session is a record. */
  sessionId?: string | undefined
  /** Cash in: `pay-in`, or `float` for more change. Cash out: `pay-out`, or `drop` for cash that is brought to the safe or the bank. */
  type?: 'pay-in' | 'pay-out' | 'drop' | 'float' | undefined
  /** How much cash was moved: a decimal string in `currency`, always more than zero. */
  amount?: string | undefined
  /** ISO 4217 code of the amount. Without it, the company’s currency. */
  currency?: string | null | undefined
  /** When the cash was moved. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** Reason for the movement. */
  reason?: string | null | undefined
  /** The account or user of the employee who moved the cash. */
  employee?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CashMovementUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: CashMovementUpdateItem[]
} | CashMovementUpdateItem[]

export type CashMovementUpdateItem = CashMovementUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<CashMovementUpdate[Name], undefined> })

export type CashMovementUpsertItem = CashMovementUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'externalId']: Exclude<CashMovementUpdate[Name], undefined> })

/** Whether a product or variant is shown at an outlet. Without such a record, it is shown. */
export interface CatalogVisibility {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The product that is shown or hidden. */
  productId: string
  /** Limits the record to one variant. Without it, it applies to the whole product. */
  variantId?: string | undefined
  /** Where the product is shown or hidden. */
  outletId: string
  /** False hides it at the outlet. True has the same effect as no record, and does not show what is hidden otherwise. */
  isVisible: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface CatalogVisibilityBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (CatalogVisibilityBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CatalogVisibilityBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Whether a product or variant is shown at an outlet. Without such a record, it is shown. */
  data: CatalogVisibility
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CatalogVisibilityCreate {
  /** The product that is shown or hidden. */
  productId: string
  /** Limits the record to one variant. Without it, it applies to the whole product. */
  variantId?: string | null | undefined
  /** Where the product is shown or hidden. */
  outletId: string
  /** False hides it at the outlet. True has the same effect as no record, and does not show what is hidden otherwise. */
  isVisible: boolean
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CatalogVisibilityCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: CatalogVisibilityCreateItem[]
} | CatalogVisibilityCreateItem[]

export type CatalogVisibilityCreateItem = CatalogVisibilityCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface CatalogVisibilityPage {
  /** The records of the page, in the order of the list. */
  data: CatalogVisibility[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CatalogVisibilityUpdate {
  /** The product that is shown or hidden. */
  productId?: string | undefined
  /** Limits the record to one variant. Without it, it applies to the whole product. */
  variantId?: string | null | undefined
  /** Where the product is shown or hidden. */
  outletId?: string | undefined
  /** False hides it at the outlet. True has the same effect as no record, and does not show what is hidden otherwise. */
  isVisible?: boolean | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CatalogVisibilityUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: CatalogVisibilityUpdateItem[]
} | CatalogVisibilityUpdateItem[]

export type CatalogVisibilityUpdateItem = CatalogVisibilityUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<CatalogVisibilityUpdate[Name], undefined> })

/** A category of products. `parentId` arranges categories as a tree. */
export interface Category {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What tills and shops call the category. */
  name: string
  /** A longer text for customers. HTML is stored as it is. */
  description?: string | undefined
  /** URL of a picture of the category. */
  image?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** The category above. A category without it is at the top. */
  parentId?: string | undefined
  /** Position among the categories with the same parent, the lowest first. */
  menuOrder?: number | undefined
  /** How the category was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface CategoryBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (CategoryBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CategoryBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A category of products. `parentId` arranges categories as a tree. */
  data: Category
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CategoryCreate {
  /** What tills and shops call the category. */
  name: string
  /** A longer text for customers. HTML is stored as it is. */
  description?: string | null | undefined
  /** URL of a picture of the category. */
  image?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** The category above. A category without it is at the top. */
  parentId?: string | null | undefined
  /** Position among the categories with the same parent, the lowest first. */
  menuOrder?: number | null | undefined
  /** How the category was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CategoryCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (CategoryCreateItem | CategoryUpsertItem)[]
} | (CategoryCreateItem | CategoryUpsertItem)[]

export interface CategoryCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: CategoryCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (CategoryCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CategoryCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** A category of products. `parentId` arranges categories as a tree. */
  data: Category
}

/** How many items succeeded and failed. */
export interface CategoryCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type CategoryCreateItem = CategoryCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface CategoryPage {
  /** The records of the page, in the order of the list. */
  data: Category[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CategoryUpdate {
  /** What tills and shops call the category. */
  name?: string | undefined
  /** A longer text for customers. HTML is stored as it is. */
  description?: string | null | undefined
  /** URL of a picture of the category. */
  image?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** The category above. A category without it is at the top. */
  parentId?: string | null | undefined
  /** Position among the categories with the same parent, the lowest first. */
  menuOrder?: number | null | undefined
  /** How the category was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CategoryUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: CategoryUpdateItem[]
} | CategoryUpdateItem[]

export type CategoryUpdateItem = CategoryUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<CategoryUpdate[Name], undefined> })

export type CategoryUpsertItem = CategoryUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'source' | 'externalId']: Exclude<CategoryUpdate[Name], undefined> })

/** The outlet of a location. */
export interface ChosenOutlet {
  /** A location of the file, as the preview names it. */
  location: string
  /** The outlet whose stock is set; without it, the stock of the location is not imported. */
  outletId?: string | undefined
}

/** The closing report (Z) of a session. Its figures are copies, so later changes of the session, its orders and its payments do not affect them. A closing includes everything of its station that no earlier closing included, so each record is in one closing. */
export interface Closing {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The number of the closing, 1, 2, 3 … for each station, without gaps. */
  number: number
  /** The outlet of the till at the time of the closing. Absent if the till has no record, and in closings made before this member was added. */
  outletId?: string | undefined
  /** The till that the session was opened at. */
  stationId: string
  /** The session that is reported or was closed. */
  sessionId: string
  /** `sessionNumber` of the session at the time. */
  sessionNumber?: string | undefined
  /** When the till was opened. */
  openTime?: string | undefined
  /** When the till was closed. */
  closeTime: string
  /** Who opened the till. */
  openedBy?: string | undefined
  /** Who counted and closed the till. */
  closedBy?: string | undefined
  /** A remark by the employee who closed it. */
  closingNote?: string | undefined
  /** The cash that the drawer began with, in the company’s currency: `openingAmount` of the session. If the session was closed before and is open again, its report and its next closing have the amount that the previous closing counted. */
  openingAmount: string
  /** The sums, with an entry for each currency, and separate entries for the late records of each. Entries of different currencies are never added together. */
  figures: ClosingFigures[]
  /** The expected and the counted amount of each payment method, for each currency. */
  balances: ClosingBalance[]
  /** How many late records there are. */
  lateCount: number
  /** The first 1000 late records, by time. */
  lateRecords: LateRecord[]
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
}

/** The expected and the counted amount of one payment method. */
export interface ClosingBalance {
  /** ISO 4217 code of the amounts. */
  currency: string
  /** What is counted. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** The expected amount: payments minus refunds, and for `cash` also the opening amount and the movements. */
  expected: string
  /** The counted amount; absent if nothing was counted. */
  counted?: string | undefined
  /** `counted` − `expected`: negative if something is missing. */
  difference?: string | undefined
}

/** The lines of one category that were sold and returned. */
export interface ClosingCategory {
  /** The first category of the product; absent for products without one and for custom sales. */
  categoryId?: string | undefined
  /** Name of the category at the time. */
  name?: string | undefined
  /** Units sold. */
  quantity: number
  /** `total` of all lines sold. */
  sales: string
  /** Units returned. */
  refundedQuantity: number
  /** `total` of all lines returned, a positive amount. */
  refunds: string
}

/** The sales and refunds of one employee. */
export interface ClosingEmployee {
  /** The employee of the orders or refunds; absent for those that name none, and for all beyond the 500 with the most sales. */
  employee?: string | undefined
  /** What was sold, with tax and tip. */
  sales: string
  /** How many sales. */
  salesCount: number
  /** What was refunded, a positive amount. */
  refunds: string
  /** How many refunds. */
  refundsCount: number
}

/** The records of one currency, added up: those of the session, or the late ones. */
export interface ClosingFigures {
  /** ISO 4217 code of the amounts; records without one have the company’s. */
  currency: string
  /** Whether these are late records: records of sessions that were closed before, or made during such a session. The session’s own records are in the entry where it is false. */
  late: boolean
  /** `summary.total` of all orders that are neither pending, parked nor cancelled (without it, what the lines come to), without tips that later payments added to them; and the tips that payments of this session added to earlier sales. */
  sales: string
  /** How many such orders there are. */
  salesCount: number
  /** All discounts of these orders. */
  discounts: string
  /** All taxes of these orders. */
  tax: string
  /** All tips of these orders, and those that these payments added to earlier sales. They are in `sales`. */
  tips: string
  /** Delivery of these orders, their `summary.shippingTotal`. */
  shipping?: string | undefined
  /** What rounding of cash added to `sales` of these orders, and to what these payments of earlier sales paid; negative if it reduced them. If everything is paid, payments add up to `sales` + `cashRounding`. */
  cashRounding?: string | undefined
  /** `summary.total` of all refunds, a positive amount; of a refund without it, what its lines come to. */
  refunds: string
  /** How many refunds there are. */
  refundsCount: number
  /** Tips in these refunds. */
  refundedTips?: string | undefined
  /** Delivery in these refunds. */
  refundedShipping?: string | undefined
  /** What rounding of cash added to these refunds, also that of their sales; negative if it reduced them. Repayments add up to `refunds` + `refundedCashRounding`. */
  refundedCashRounding?: string | undefined
  /** All transactions of the type `void`, which count nowhere else. */
  voids: string
  /** How many such transactions there are. */
  voidsCount: number
  /** The payments by method; those beyond the 500 with the most sales together as `other`. */
  payments: ClosingPayments[]
  /** The taxes by rate and name: those of the lines, and those that only the summary has, which have no rate if its rates do not add up to its taxes. */
  taxes: ClosingTax[]
  /** The sales by `employee` of the order, the refunds by `refundedBy`. */
  employees: ClosingEmployee[]
  /** The lines by category. Each product counts in its first category. */
  categories: ClosingCategory[]
  /** The cash movements by type. */
  movements: ClosingMovements[]
}

/** The cash movements of one type. */
export interface ClosingMovements {
  /** The type of the movements. */
  type: 'pay-in' | 'pay-out' | 'drop' | 'float'
  /** What was moved, a positive amount. */
  amount: string
  /** How many movements there are. */
  count: number
}

/** A page of records, and where it is in the list. */
export interface ClosingPage {
  /** The records of the page, in the order of the list. */
  data: Closing[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The transactions of one payment method. */
export interface ClosingPayments {
  /** How it was paid. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** All transactions of the type `sale`, or without a type. */
  sales: string
  /** How many such transactions there are. */
  salesCount: number
  /** All transactions of the type `refund`, a positive amount. */
  refunds: string
  /** How many such transactions there are. */
  refundsCount: number
}

/** The sales and refunds at one rate of tax. */
export interface ClosingTax {
  /** What receipts call the tax. */
  name?: string | undefined
  /** The rate in percent. */
  percentage?: number | undefined
  /** Sales at this rate, after discounts and without tax. A rate that only the summary of an order names has a net only if the rates of the summary, on all goods, add up to its taxes. */
  net: string
  /** The tax that was charged at this rate. */
  tax: string
  /** The same for refunds, as a positive amount. */
  refundedNet: string
  /** The tax that was paid back at this rate, a positive amount. */
  refundedTax: string
}

/** A company of the organization, with its own data in the service. */
export interface Company {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the company. */
  name: string
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email?: string | undefined
  /** Phone number of the company, in any notation. */
  phone?: string | undefined
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | undefined
  /** The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset. */
  dayStartHour?: number | undefined
  /** What the company sells or does. */
  industry?: string | undefined
  /** URL of a picture for receipts and pages. */
  logo?: string | undefined
  /** Where the company is based; the country is a separate member of the company. */
  address?: CompanyAddress | undefined
  /** Number under which the company is registered for tax, such as a VAT number, as its receipts print it. */
  taxId?: string | undefined
  /** Id in the organization’s own system, unique among its companies. */
  externalId?: string | undefined
  /** The plan that the company is on. */
  planId?: string | undefined
  /** The account that was created with the company. */
  accountId?: string | undefined
  /** The organization that onboarded the company. */
  organizationId: string
  /** While a company is suspended, its keys are answered 403. */
  status: 'active' | 'suspended'
  /** The reason given in responses to the company’s keys while it is suspended; removed when it is active again. */
  suspendedReason?: string | undefined
  /** The company as a customer of the payment processor, created after the company; on a restored service, once the operator resumes calls. It counts for the ETag, but does not change `updatedAt`. */
  paymentCustomer?: PaymentCustomer | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** Where the company is based; the country is a separate member of the company. */
export interface CompanyAddress {
  /** Street and house number. */
  address1?: string | undefined
  /** A second line: floor, unit or building. */
  address2?: string | undefined
  /** City, town or village. */
  city?: string | undefined
  /** State, province or region. */
  state?: string | undefined
  /** Postal code or ZIP code. */
  postCode?: string | undefined
}

/** A page of records, and where it is in the list. */
export interface CompanyPage {
  /** The records of the page, in the order of the list. */
  data: Company[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CompanyUpdate {
  /** Display name of the company. */
  name?: string | undefined
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email?: string | null | undefined
  /** Phone number of the company, in any notation. */
  phone?: string | null | undefined
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | null | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | null | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | null | undefined
  /** The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset. */
  dayStartHour?: number | null | undefined
  /** What the company sells or does. */
  industry?: string | null | undefined
  /** URL of a picture for receipts and pages. */
  logo?: string | null | undefined
  /** Where the company is based; the country is a separate member of the company. */
  address?: CompanyAddress | null | undefined
  /** Number under which the company is registered for tax, such as a VAT number, as its receipts print it. */
  taxId?: string | null | undefined
  /** Id in the organization’s own system, unique among its companies. */
  externalId?: string | null | undefined
  /** The plan that the company is on. */
  planId?: string | null | undefined
  /** While a company is suspended, its keys are answered 403. */
  status?: 'active' | 'suspended' | undefined
  /** The reason given in responses to the company’s keys while it is suspended; removed when it is active again. */
  suspendedReason?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** The account that was created with the company. */
  accountId?: string | undefined
  /** The organization that onboarded the company. */
  organizationId?: string | undefined
  /** The company as a customer of the payment processor, created after the company; on a restored service, once the operator resumes calls. It counts for the ETag, but does not change `updatedAt`. */
  paymentCustomer?: PaymentCustomer | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

export interface Credentials {
  /** The address that the user signs in with, in any case. */
  email: string
  /** As it was typed; it is neither logged nor stored. */
  password: string
  /** If the account has a second factor: the six digits of the authenticator app, or a recovery code. Each is accepted once. */
  code?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomCreate {
  /** Lower-case letters, digits, points, underscores, hyphens. The type of the event is `custom.` followed by this name. */
  name: string
  /** What the event is about; stored as it is sent. */
  data: { [name: string]: unknown }
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

export interface CustomSale {
  /** Identifies the custom sale on the till. */
  customSaleId?: string | undefined
  /** Name on the receipt. */
  name?: string | undefined
  /** Price of one unit. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  price?: string | undefined
  /** Units sold; decimals are allowed. */
  quantity?: number | undefined
  /** Whether it is taxed. If not, `totalTax` is zero. */
  applyTaxes?: boolean | undefined
  /** `price` × `quantity`. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  total?: string | undefined
  /** The tax on `total`: the sum of `taxes`. A decimal string in the sale’s `currency`. */
  totalTax?: string | undefined
  /** The taxes on it, one entry for each rate. */
  taxes?: TaxEntry[] | undefined
}

/** A table of the company’s own. Its columns are custom table fields; its rows are read and written by column names under `/v1/api/custom-table-data/{tableName}`. Deleting it deletes its fields, rows and values, at once for readers and soon after from the disk; it raises one event. */
export interface CustomTable {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** Lower-case words with hyphens; unique in the company. */
  name: string
  /** Purpose of the table. */
  description?: string | undefined
  /** Your own data about the table, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableCreate {
  /** Lower-case words with hyphens; unique in the company. */
  name: string
  /** Purpose of the table. */
  description?: string | null | undefined
  /** Your own data about the table, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** Columns by name. `_id`, `createdAt` and `updatedAt` are ignored, so a row can be sent back as it was read; any other name that is not a column is refused. */
export type CustomTableDataBody = { [name: string]: string | number | boolean | { [name: string]: unknown } | unknown[] | null }

export type CustomTableDataList = CustomTableDataRow[]

/** A row: its id, its columns by name, and its times. */
export type CustomTableDataRow = {
  /** Identifies the row. The service chooses it on create. */
  _id: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** When the row was created, in UTC. */
  createdAt: string
  /** When the row or one of its columns last changed, in UTC. */
  updatedAt: string
} & { [name: string]: string | number | boolean }

export interface CustomTableDataRowId {
  /** Identifies the row that was written. */
  rowId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
}

/** A column of a custom table. Its type cannot be changed while it has values (409); a new name takes effect everywhere at once. Deleting it deletes its values. */
export interface CustomTableField {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** Unique in the table: 1 to 63 characters, no control characters, and none of _id, id, companyId, createdAt, updatedAt, __proto__, constructor, prototype. */
  name: string
  /** What the column holds: `date` is a date-time, `json-string` any JSON as a string. */
  type: 'string' | 'number' | 'boolean' | 'date' | 'json-string'
  /** Whether new rows require it. */
  required?: boolean | undefined
  /** The default for new rows: JSON of the type, or the same as a string. A default of a reference must name an existing record. Stored as a string. */
  defaultValue?: unknown | undefined
  /** The collection that the values refer to, such as `customers`. If it is a collection of this service, the record must exist. A name in another form, such as `customer`, is refused; any other name is accepted as it is. A table with a field that refers to customers extends them: one row for each customer. */
  referenceLinkedCollection?: string | undefined
  /** The member that the values hold; defaults to `id`. */
  referenceLinkedField?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableFieldCreate {
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string
  /** Unique in the table: 1 to 63 characters, no control characters, and none of _id, id, companyId, createdAt, updatedAt, __proto__, constructor, prototype. */
  name: string
  /** What the column holds: `date` is a date-time, `json-string` any JSON as a string. */
  type: 'string' | 'number' | 'boolean' | 'date' | 'json-string'
  /** Whether new rows require it. */
  required?: boolean | null | undefined
  /** The default for new rows: JSON of the type, or the same as a string. A default of a reference must name an existing record. Stored as a string. */
  defaultValue?: unknown | undefined
  /** The collection that the values refer to, such as `customers`. If it is a collection of this service, the record must exist. A name in another form, such as `customer`, is refused; any other name is accepted as it is. A table with a field that refers to customers extends them: one row for each customer. */
  referenceLinkedCollection?: string | null | undefined
  /** The member that the values hold; defaults to `id`. */
  referenceLinkedField?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** A page of records, as a bare array. */
export type CustomTableFieldList = CustomTableField[]

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableFieldUpdate {
  /** The table; it cannot be changed. */
  tableId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** Unique in the table: 1 to 63 characters, no control characters, and none of _id, id, companyId, createdAt, updatedAt, __proto__, constructor, prototype. */
  name?: string | undefined
  /** What the column holds: `date` is a date-time, `json-string` any JSON as a string. */
  type?: 'string' | 'number' | 'boolean' | 'date' | 'json-string' | undefined
  /** Whether new rows require it. */
  required?: boolean | null | undefined
  /** The default for new rows: JSON of the type, or the same as a string. A default of a reference must name an existing record. Stored as a string. */
  defaultValue?: unknown | undefined
  /** The collection that the values refer to, such as `customers`. If it is a collection of this service, the record must exist. A name in another form, such as `customer`, is refused; any other name is accepted as it is. A table with a field that refers to customers extends them: one row for each customer. */
  referenceLinkedCollection?: string | null | undefined
  /** The member that the values hold; defaults to `id`. */
  referenceLinkedField?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** A page of records, as a bare array. */
export type CustomTableList = CustomTable[]

/** A row of a custom table, without its columns: each column is a value, a record of its own. A row that is created here has no values yet, neither defaults nor required ones. Deleting flags the row and its values, and keeps them. */
export interface CustomTableRow {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableRowCreate {
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** A page of records, as a bare array. */
export type CustomTableRowList = CustomTableRow[]

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableRowUpdate {
  /** The table; it cannot be changed. */
  tableId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableUpdate {
  /** Lower-case words with hyphens; unique in the company. */
  name?: string | undefined
  /** Purpose of the table. */
  description?: string | null | undefined
  /** Your own data about the table, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** The value of one column in one row: a string, whatever the column’s type, in the canonical form of that type (`12.5`, `true`, `2026-11-21T09:30:00.000Z`). A row has one live value of each field. Deleting flags the value and keeps it; the cell is then empty. */
export interface CustomTableValue {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The row, of this table; it cannot be changed. */
  rowId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The field, of this table; it cannot be changed. */
  fieldId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** In the form of the field’s type. */
  value: string
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: {
    /** 24 hexadecimal characters. */
    $oid: string
  }
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableValueCreate {
  /** The table; it cannot be changed. */
  tableId: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string
  /** The row, of this table; it cannot be changed. */
  rowId: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string
  /** The field, of this table; it cannot be changed. */
  fieldId: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string
  /** In the form of the field’s type. */
  value: string
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** A page of records, as a bare array. */
export type CustomTableValueList = CustomTableValue[]

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomTableValueUpdate {
  /** The table; it cannot be changed. */
  tableId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** The row, of this table; it cannot be changed. */
  rowId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** The field, of this table; it cannot be changed. */
  fieldId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** In the form of the field’s type. */
  value?: string | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  _id?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: {
    /** 24 hexadecimal characters. */
    $oid: string
  } | string | undefined
}

/** A person or business that buys. Deleting flags the record and keeps it. */
export interface Customer extends CustomerColumns {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** E-mail address for receipts and messages. Two customers may have the same address. */
  email?: string | undefined
  /** First name of the customer. */
  firstName?: string | undefined
  /** Last name of the customer. */
  lastName?: string | undefined
  /** Phone number in any notation; searches compare it as text. */
  phone?: string | undefined
  /** The outlet that the customer belongs to, such as where they signed up. */
  outletId?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** True if, and only if, the customer has an `externalId`. */
  fromService: boolean
  /** What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it. */
  totalSpent?: string | undefined
  /** When the customer last bought or did something else. The caller maintains it. */
  lastAction?: string | undefined
  /** Words to group customers by. Lists filter by any of them. */
  tags?: string[] | undefined
  /** Where invoices go. */
  billing?: Address | undefined
  /** Where deliveries go. */
  shipping?: Address | undefined
  /** Your own data about the customer, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
  /** How the customer was first recorded. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface CustomerBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (CustomerBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CustomerBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A person or business that buys. Deleting flags the record and keeps it. */
  data: Customer
}

/** The members of a new record. At least one of email, phone, firstName, lastName, externalId is needed. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomerCreate extends CustomerCreateColumns {
  /** E-mail address for receipts and messages. Two customers may have the same address. */
  email?: string | null | undefined
  /** First name of the customer. */
  firstName?: string | null | undefined
  /** Last name of the customer. */
  lastName?: string | null | undefined
  /** Phone number in any notation; searches compare it as text. */
  phone?: string | null | undefined
  /** The outlet that the customer belongs to, such as where they signed up. */
  outletId?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it. */
  totalSpent?: string | null | undefined
  /** When the customer last bought or did something else. The caller maintains it. */
  lastAction?: string | null | undefined
  /** Words to group customers by. Lists filter by any of them. */
  tags?: string[] | null | undefined
  /** Where invoices go. */
  billing?: Address | null | undefined
  /** Where deliveries go. */
  shipping?: Address | null | undefined
  /** Your own data about the customer, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | null | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | null | undefined
  /** How the customer was first recorded. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** True if, and only if, the customer has an `externalId`. */
  fromService?: boolean | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CustomerCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (CustomerCreateItem | CustomerUpsertItem)[]
} | (CustomerCreateItem | CustomerUpsertItem)[]

export interface CustomerCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: CustomerCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (CustomerCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface CustomerCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** A person or business that buys. Deleting flags the record and keeps it. */
  data: Customer
}

/** How many items succeeded and failed. */
export interface CustomerCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type CustomerCreateItem = CustomerCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface CustomerPage {
  /** The records of the page, in the order of the list. */
  data: Customer[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface CustomerSpending {
  /** The customer whose orders and refunds are summed. */
  customerId: string
  /** The company’s currency; records without a currency count in it. */
  currency?: string | undefined
  /** Orders that are neither pending, parked nor cancelled, in all currencies. */
  orders: number
  /** `occurredAt` (or else `createdAt`) of the first one. */
  firstOrderAt?: string | undefined
  /** The same for the last one. */
  lastOrderAt?: string | undefined
  /** The sums in each currency, the company’s first; empty without orders. */
  spending: CustomerSpendingInCurrency[]
}

export interface CustomerSpendingInCurrency {
  /** The currency of the sums: currencies are never added together. */
  currency?: string | undefined
  /** These orders in this currency. */
  count: number
  /** Their sum after discounts, without tax and tips. */
  netSales: string
  /** Their tax. */
  tax: string
  /** Their tips. */
  tips: string
  /** The amount refunded for these orders, with tax; refunds of a cancelled order do not count. */
  refunded: string
  /** What the customer has spent on goods: `netSales` plus `tax`, minus what was refunded for goods, without tips, delivery and fees. */
  spent: string
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface CustomerUpdate extends CustomerUpdateColumns {
  /** E-mail address for receipts and messages. Two customers may have the same address. */
  email?: string | null | undefined
  /** First name of the customer. */
  firstName?: string | null | undefined
  /** Last name of the customer. */
  lastName?: string | null | undefined
  /** Phone number in any notation; searches compare it as text. */
  phone?: string | null | undefined
  /** The outlet that the customer belongs to, such as where they signed up. */
  outletId?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it. */
  totalSpent?: string | null | undefined
  /** When the customer last bought or did something else. The caller maintains it. */
  lastAction?: string | null | undefined
  /** Words to group customers by. Lists filter by any of them. */
  tags?: string[] | null | undefined
  /** Where invoices go. */
  billing?: Address | null | undefined
  /** Where deliveries go. */
  shipping?: Address | null | undefined
  /** Your own data about the customer, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | null | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | null | undefined
  /** How the customer was first recorded. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** True if, and only if, the customer has an `externalId`. */
  fromService?: boolean | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type CustomerUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: CustomerUpdateItem[]
} | CustomerUpdateItem[]

export type CustomerUpdateItem = CustomerUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<CustomerUpdate[Name], undefined> })

export type CustomerUpsertItem = CustomerUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'source' | 'externalId']: Exclude<CustomerUpdate[Name], undefined> })

/** The items in an object, or as a bare array. */
export type DeleteBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: DeleteItem[]
} | DeleteItem[]

export interface DeleteBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (DeleteBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface DeleteBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Identifies the deleted record. */
  id: string
}

export interface DeleteItem {
  /** The id of the record that the item applies to. */
  id: string
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}

export interface Deleted {
  /** The status of the response, 200. */
  statusCode: 200
  /** Confirms in a sentence what was deleted. */
  message: string
  /** Identifies the deleted record. Only in Style B. */
  id?: string | undefined
}

export interface Done {
  /** The status of the response, 200. */
  statusCode: 200
  /** What was done, in a sentence for people. */
  message: string
}

/** Who made the write. Absent in events from before this member existed, and if the service itself acted. */
export interface EventActor {
  /** An API key, a signed-in user, or the command line of the operator. */
  type: 'key' | 'user' | 'operator'
  /** The key or the user. */
  id?: string | undefined
}

export interface EventPage {
  /** The events after the cursor, the oldest first. */
  data: Event[]
  /** Where to continue. */
  meta: EventPageMeta
}

/** Where to continue. */
export interface EventPageMeta {
  /** The `after` of the next page; also present on the last page. */
  nextCursor: string
  /** Whether more events can be read now. */
  hasMore: boolean
}

/** All data of a company in one file: NDJSON with a first line that describes the file, a line for each row, and a last line with the SHA-256 of everything before it. `cashwrap company import` creates the company from it on another server, with its ids and keys. The guide `docs/guides/leaving-and-moving.md` describes the file. It contains personal data and the hashes of keys, but no secrets of automation triggers. An export is one snapshot; the service continues to work while it is written. Exports and their files are kept for 7 days, and only the newest 5 of a company. */
export interface Export {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** `running` while the export waits or is being written; then how it ended. */
  state: 'running' | 'done' | 'failed'
  /** From 0 to 1. */
  progress: number
  /** Size of the file in bytes. Set once it is done, like all members below. */
  bytes?: number | undefined
  /** SHA-256 of the whole file, as hexadecimal digits. */
  sha256?: string | undefined
  /** The number of rows of each table in the file. */
  counts?: { [name: string]: number } | undefined
  /** All events of the feed up to this number are in the file; later ones may be missing. */
  cursor?: number | undefined
  /** Events from this moment on are in the file. */
  eventsSince?: string | undefined
  /** The number of automation triggers whose secret is not in the file. */
  secretsLeftOut?: number | undefined
  /** Why it failed, in a sentence. */
  problem?: string | undefined
  /** When it ended. */
  finishedAt?: string | undefined
  /** When it is deleted with its file. */
  expiresAt: string
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
}

/** A page of records, and where it is in the list. */
export interface ExportPage {
  /** The records of the page, in the order of the list. */
  data: Export[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** An offer of an organization: a name and texts, pictures, a price, and the surfaces where it appears. It is written with the organization’s key; once its `status` is `public`, anyone can read it. */
export interface Extension {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What shops call the extension. */
  name: string
  /** The full text for shops. HTML is stored as it is. */
  description?: string | undefined
  /** A sentence or two for lists. */
  shortDescription?: string | undefined
  /** The group under which lists show it; any word. The public list filters by it. */
  category?: string | undefined
  /** Only `public` extensions are shown to everyone. */
  status?: 'draft' | 'public' | 'archived' | undefined
  /** A small picture. An absolute http or https URL: it is shown on public pages. */
  icon?: string | undefined
  /** URLs of pictures, the main one first. */
  gallery?: string[] | undefined
  /** A page with more information. An absolute http or https URL: it is shown on public pages. */
  website?: string | undefined
  /** What it costs, for people to read. The service charges nothing. */
  price?: number | undefined
  /** Where the extension appears. A surface without an `id` gets one; ids must be unique. */
  surfaces?: ExtensionSurface[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface ExtensionCreate {
  /** What shops call the extension. */
  name: string
  /** The full text for shops. HTML is stored as it is. */
  description?: string | null | undefined
  /** A sentence or two for lists. */
  shortDescription?: string | null | undefined
  /** The group under which lists show it; any word. The public list filters by it. */
  category?: string | null | undefined
  /** Only `public` extensions are shown to everyone. */
  status?: 'draft' | 'public' | 'archived' | undefined
  /** A small picture. An absolute http or https URL: it is shown on public pages. */
  icon?: string | null | undefined
  /** URLs of pictures, the main one first. */
  gallery?: string[] | null | undefined
  /** A page with more information. An absolute http or https URL: it is shown on public pages. */
  website?: string | null | undefined
  /** What it costs, for people to read. The service charges nothing. */
  price?: number | null | undefined
  /** Where the extension appears. A surface without an `id` gets one; ids must be unique. */
  surfaces?: ExtensionSurface[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** The organization that offers the extension. */
export interface ExtensionOrganization {
  /** Identifies the organization. */
  id: string
  /** Public name of the organization. */
  name: string
  /** An absolute http or https URL; absent if there is none. */
  logo?: string | undefined
  /** Its name in URLs. */
  organization_alias: string
}

/** A page of records, and where it is in the list. */
export interface ExtensionPage {
  /** The records of the page, in the order of the list. */
  data: Extension[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface ExtensionSurface {
  /** Identifies the surface within the extension. */
  id?: string | undefined
  /** Where it runs. Usually web, ios, android, windows, all; any other value is accepted. */
  platform?: string | undefined
  /** How it is opened. Usually link, page, app, checkout; any other value is accepted. */
  type?: string | undefined
  /** The URL that it opens; defaults to the `website` of the extension. An absolute http or https URL: it is shown on public pages. */
  url?: string | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface ExtensionUpdate {
  /** What shops call the extension. */
  name?: string | undefined
  /** The full text for shops. HTML is stored as it is. */
  description?: string | null | undefined
  /** A sentence or two for lists. */
  shortDescription?: string | null | undefined
  /** The group under which lists show it; any word. The public list filters by it. */
  category?: string | null | undefined
  /** Only `public` extensions are shown to everyone. */
  status?: 'draft' | 'public' | 'archived' | undefined
  /** A small picture. An absolute http or https URL: it is shown on public pages. */
  icon?: string | null | undefined
  /** URLs of pictures, the main one first. */
  gallery?: string[] | null | undefined
  /** A page with more information. An absolute http or https URL: it is shown on public pages. */
  website?: string | null | undefined
  /** What it costs, for people to read. The service charges nothing. */
  price?: number | null | undefined
  /** Where the extension appears. A surface without an `id` gets one; ids must be unique. */
  surfaces?: ExtensionSurface[] | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** A link to a file. */
export interface FileLink {
  /** Path on this server. It needs no key. */
  path: string
  /** When the link expires. */
  expiresAt: string
}

export interface Health {
  /** Always `ok`; a service that is down does not answer. */
  status: 'ok'
}

export interface Identity {
  /** The company that the key gives access to. */
  company: IdentityCompany
  /** ISO 4217 code of the company’s amounts. */
  currency?: string | undefined
  /** The key that the request was sent with. */
  key: IdentityKey
}

/** The company that the key gives access to. */
export interface IdentityCompany {
  /** Identifies the company: `companyId` of its records. */
  id: string
  /** Display name of the company. */
  name: string
  /** The organization that onboarded the company. */
  organizationId?: string | undefined
  /** ISO 4217 code of the company’s amounts. */
  currency?: string | undefined
  /** ISO 3166-1 alpha-2 code; absent if the company has none. */
  country?: string | undefined
}

/** The key that the request was sent with. */
export interface IdentityKey {
  /** Identifies the key; it is not the value of the key. */
  id: string
  /** Display name of the key. */
  name: string
  /** Always `active`: any other key is refused. */
  status: 'active'
  /** What the key may do. */
  permissions: ('read' | 'create' | 'update' | 'delete')[]
  /** The only resources that the key gives access to; absent if it gives access to all. */
  resources?: string[] | undefined
  /** When the key was made, in UTC. */
  createdAt: string
  /** When the key stops working; absent if never. */
  expiresAt?: string | undefined
}

export interface IdentityLink {
  /** The `token` of the identity. */
  token: string
  /** The password that the user signs in with. Ignored for an account without one. */
  currentPassword?: string | undefined
  /** Required while the second factor is on: the six digits of the authenticator app, or a recovery code. */
  code?: string | undefined
}

/** The CSV export of another shop: its catalogue (products, variants, categories, images, attributes, prices and stock), its customers, or its orders with payments and refunds, which move no stock. An import is first checked and shows what it would do; it runs only on request. It can run any number of times; records that are already up to date are not written again. Imports of one company run one after the other. An import and its file are kept for 7 days after its last check or run, and the import for 30 days if it wrote something: until then it can be undone, once. If a company has more than 500 MB of files, or 1,000 imports, the oldest are deleted sooner. A file has at most 500,000 rows and 2,000 columns; a file with more than 10,000 lines that cannot be imported, or more than 20,000 categories, is refused as a whole. */
export interface Import {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Original name of the file. */
  fileName: string
  /** Size of the file in bytes. */
  bytes: number
  /** What the file is: the products of a shop (`catalog`), its customers, or its orders with payments. */
  kind: 'catalog' | 'stock' | 'customers' | 'orders'
  /** The shop software that exported the file; `plain` is the format that the guide describes. */
  shop: 'woocommerce' | 'shopify' | 'square' | 'lightspeed' | 'plain'
  /** The outlet of the stock: the one that the request named. Without it, the first outlet if the file names no location, or a single one whose name no outlet has; the run creates the first outlet if there is none. Absent if locations decide. For orders, the outlet where they were made, if one was named. */
  outletId?: string | undefined
  /** The state. An import is checked, waits to be run (`ready`), runs, ends as done, failed or cancelled, and can be undone. */
  state: 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone'
  /** From 0 to 1: first for the check, then for the run. */
  progress: number
  /** After the check, what would be done; once the run begins, what has been done so far. `stockSet` counts the variants whose stock is set. Kinds that the file does not contain are zero. */
  summary?: ImportSummary | undefined
  /** The number of lines that are not imported; each is listed with its reason. */
  rowsRefused?: number | undefined
  /** Why it failed, in a sentence. */
  problem?: string | undefined
  /** False if the run leaves stock unchanged; otherwise absent. */
  stock?: boolean | undefined
  /** When the run began. */
  startedAt?: string | undefined
  /** When the import ended. */
  finishedAt?: string | undefined
  /** The time until which it can be undone; absent if it cannot. */
  undoUntil?: string | undefined
  /** Counts of what an undo has done so far, or would do. Records changed since the import stay unchanged. */
  undo?: ImportUndo | undefined
  /** When the undo ended. */
  undoneAt?: string | undefined
  /** The time until which the file is kept; absent if there is no file, or while the import is in progress. */
  fileUntil?: string | undefined
  /** When it is deleted. */
  keptUntil: string
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
}

export interface ImportCheck {
  /** The locations whose outlets you choose; other locations keep theirs. */
  locations: ChosenOutlet[]
}

/** Records of one kind, by what the run does with them. */
export interface ImportCounts {
  /** How many records are new. */
  created: number
  /** How many existing records change. */
  updated: number
  /** How many existing records already match the file. */
  unchanged: number
}

/** A page of records, and where it is in the list. */
export interface ImportPage {
  /** The records of the page, in the order of the list. */
  data: Import[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface ImportPreview {
  /** The columns of the file, in its order. */
  columns: PreviewedColumn[]
  /** The first products, at most 20; fewer products and variants if their texts are long. */
  preview: PreviewedProduct[]
  /** The first customers of a file of customers, at most 20; fewer if their texts are long. */
  customers?: PreviewedCustomer[] | undefined
  /** The first orders of a file of orders, at most 20; fewer if their texts are long. */
  orders?: PreviewedOrder[] | undefined
  /** The locations of the file. Absent if the file names none: its stock is then that of the import’s outlet. */
  locations?: PreviewedLocation[] | undefined
  /** The first existing records that would change, at most 100; fewer if their texts are long. */
  changes: PreviewedChange[]
}

export interface ImportRun {
  /** False leaves all stock unchanged, including that of new variants. */
  stock?: boolean | undefined
}

/** After the check, what would be done; once the run begins, what has been done so far. `stockSet` counts the variants whose stock is set. Kinds that the file does not contain are zero. */
export interface ImportSummary {
  /** What happens to products. */
  products: ImportCounts
  /** What happens to variants. */
  variants: ImportCounts
  /** What happens to categories. */
  categories: ImportCounts
  /** How many variants get their stock from the file. */
  stockSet: number
  /** What happens to customers. */
  customers: ImportCounts
  /** What happens to orders. */
  orders: ImportCounts
  /** What happens to payments. */
  transactions: ImportCounts
  /** What happens to refunds. */
  refunds: ImportCounts
}

/** Counts of what an undo has done so far, or would do. Records changed since the import stay unchanged. */
export interface ImportUndo {
  /** What happens to products. */
  products: UndoCounts
  /** What happens to variants. */
  variants: UndoCounts
  /** What happens to categories. */
  categories: UndoCounts
  /** What happens to the outlet that the run created. */
  outlets: UndoCounts
  /** What happens to customers. */
  customers?: UndoCounts | undefined
  /** What happens to orders. */
  orders?: UndoCounts | undefined
  /** What happens to payments. */
  transactions?: UndoCounts | undefined
  /** What happens to refunds. */
  refunds?: UndoCounts | undefined
  /** What happens to stock. */
  stock: UndoStock
}

/** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
export interface Inventory {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Defaults to the product of the variant. For an existing variant, it must be that product. */
  productId?: string | undefined
  /** The variant that is in stock. It need not exist in the catalogue. */
  variantId: string
  /** Where the stock is. */
  outletId: string
  /** Units on hand, 0 by default, with at most six decimals for weighed goods. Below zero if more was sold than was counted. */
  stock: number
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface InventoryBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (InventoryBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface InventoryBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
  data: Inventory
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface InventoryCreate {
  /** Defaults to the product of the variant. For an existing variant, it must be that product. */
  productId?: string | null | undefined
  /** The variant that is in stock. It need not exist in the catalogue. */
  variantId: string
  /** Where the stock is. */
  outletId: string
  /** Units on hand, 0 by default, with at most six decimals for weighed goods. Below zero if more was sold than was counted. */
  stock?: number | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type InventoryCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: InventoryCreateItem[]
} | InventoryCreateItem[]

export type InventoryCreateItem = InventoryCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** Each change of the stock of a variant whose `manageStock` is true. Entries are only added. Those of a variant at an outlet form an unbroken chain: the first begins at 0, each begins where the one before ended, and the last ends at the stock. */
export interface InventoryHistory {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The inventory record that changed. */
  inventoryId: string
  /** The product that the variant belonged to at the time. */
  productId?: string | undefined
  /** The variant whose stock changed. */
  variantId: string
  /** Where the stock changed. */
  outletId: string
  /** Why it changed: RECOUNT if a quantity was set, otherwise what the caller said of the movement. */
  kind: 'SALE' | 'RETURN' | 'RECEIVED' | 'DAMAGE' | 'THEFT' | 'LOSS' | 'TRANSFER' | 'ADJUSTMENT' | 'RECOUNT'
  /** Units before the change. */
  previousStock: number
  /** Units after the change. */
  newStock: number
  /** `newStock` − `previousStock`; negative if stock left the outlet. */
  delta: number
  /** The reason; the history shows it. */
  reason?: string | undefined
  /** The order whose sale, completion, refund or void moved the stock. Absent from other changes, and from those made before this member existed. */
  orderId?: string | undefined
  /** The refund that moved the stock, if one did. */
  refundId?: string | undefined
  /** The API key that made the change. */
  keyId?: string | undefined
  /** The user who made the change in the console, if no key did. */
  userId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
}

/** A page of records, and where it is in the list. */
export interface InventoryHistoryPage {
  /** The records of the page, in the order of the list. */
  data: InventoryHistory[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
export interface InventoryMoved {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Defaults to the product of the variant. For an existing variant, it must be that product. */
  productId?: string | undefined
  /** The variant that is in stock. It need not exist in the catalogue. */
  variantId: string
  /** Where the stock is. */
  outletId: string
  /** Units on hand, 0 by default, with at most six decimals for weighed goods. Below zero if more was sold than was counted. */
  stock: number
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
  /** The stock before; 0 for a new record. */
  previousStock: number
}

export interface InventoryMovedBulkResult {
  /** How many items succeeded and failed. */
  summary: InventoryMovedBulkSummary
  /** One result for each item, in the order of the request. */
  results: (InventoryMovedBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface InventoryMovedBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it. */
  data: InventoryMoved
}

/** How many items succeeded and failed. */
export interface InventoryMovedBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** How many items created a record. */
  created?: number | undefined
  /** How many items changed the stock of a record. */
  updated?: number | undefined
  /** How many records already had the stock. */
  unchanged?: number | undefined
}

/** A page of records, and where it is in the list. */
export interface InventoryPage {
  /** The records of the page, in the order of the list. */
  data: Inventory[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface InventoryUpdate {
  /** Defaults to the product of the variant. For an existing variant, it must be that product. */
  productId?: string | null | undefined
  /** The variant that is in stock. It need not exist in the catalogue. */
  variantId?: string | undefined
  /** Where the stock is. */
  outletId?: string | undefined
  /** Units on hand, 0 by default, with at most six decimals for weighed goods. Below zero if more was sold than was counted. */
  stock?: number | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type InventoryUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: InventoryUpdateItem[]
} | InventoryUpdateItem[]

export type InventoryUpdateItem = InventoryUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<InventoryUpdate[Name], undefined> })

export interface InvitationAccepted {
  /** The part of the link after `#token=`. */
  token: string
}

/** For an invitation: the owner who made the link. */
export interface Inviter {
  /** The address that the inviter signs in with. */
  email: string
  /** What other people see of the inviter; absent if they have set none. */
  name?: string | undefined
}

/** Why the item failed. */
export interface ItemProblem {
  /** The status that the same single request would return. */
  statusCode: number
  /** What went wrong, as a code for programs. More codes may be added. */
  code: ProblemCode
  /** Explains the error in a sentence. */
  message: string
  /** With 503 and 429, with a 409 about a rule of the shop, and with a 403 for a signed-in user: why, as a word for programs. More words may be added. */
  reason?: ProblemReason | undefined
  /** The wrong members of the item. */
  errors?: MemberError[] | undefined
}

export interface JournalEntry {
  /** The day in the time zone of the report. */
  day: string
  /** The outlet: for sales and refunds, the outlet of the order; for money, the outlet of the till. Null if there is none. */
  outletId: string | null
  /** Name of the outlet; null if that is unknown. */
  outletName: string | null
  /** The currency of the entry. */
  currency?: string | undefined
  /** What is booked, less refunds. `receivables`: what customers owe for sales of the day (debit), or have paid for sales of other days or outlets (credit). `over-short`: what was missing (debit) or surplus (credit) when sessions were closed. `drawer`: the counter-entry of `cash-movements` and `over-short`, since both change what the drawers hold. */
  account: 'sales' | 'tax' | 'tips' | 'shipping' | 'fees' | 'gift-cards' | 'cash-rounding' | 'payments' | 'receivables' | 'cash-movements' | 'over-short' | 'drawer'
  /** For `sales` and `tax`: the rate in percent; null for amounts without a rate. */
  taxRate?: number | null | undefined
  /** For `payments`, `over-short` and `drawer`: the payment method. */
  paymentMethod?: string | null | undefined
  /** For `cash-movements`: the `type` of the movements. */
  movementType?: string | null | undefined
  /** The debit; zero if the entry is a credit. */
  debit: string
  /** The credit; zero if the entry is a debit. */
  credit: string
}

export interface JournalReport {
  /** The company’s currency; records without a currency count in it. */
  currency?: string | undefined
  /** The time zone that defines the days: that of the request, else the company’s, else UTC. */
  timezone: string
  /** The hour at which the days begin: that of the request, else the company’s, else 0. */
  dayStartHour: number
  /** The first day of the report. */
  from: string
  /** The last day of the report, included. */
  to: string
  /** Whether the report is complete. While it is false, ask again soon. */
  isComplete: boolean
  /** The entries, sorted by day, outlet, currency and account. For each day, outlet and currency, debits equal credits. */
  entries: JournalEntry[]
}

/** A key gives access to a company or an organization. Its value is shown once, when it is created. */
export interface Key {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the key, such as the program that uses it. */
  name: string
  /** What the key may do: one permission for each verb. */
  permissions: ('read' | 'create' | 'update' | 'delete')[]
  /** The only resources that the key gives access to, each named by the first word of its paths, in the singular. Without this member, the key gives access to all. Only for keys of companies. */
  resources?: ('outlet' | 'station' | 'account' | 'role' | 'category' | 'product' | 'variant' | 'inventory' | 'catalog-visibility' | 'tax-table' | 'customer' | 'session' | 'cash-movement' | 'order' | 'transaction' | 'refund' | 'attachment' | 'closing' | 'inventory-history' | 'custom-table' | 'custom-table-field' | 'custom-table-row' | 'custom-table-value' | 'custom-table-data' | 'sale' | 'report' | 'event' | 'company' | 'setting')[] | undefined
  /** When the key expires; without it, the key is valid until it is deleted. */
  expiresAt?: string | undefined
  /** The first characters of the value. */
  prefix: string
  /** The last characters of the value. */
  lastFour: string
  /** The company it gives access to. */
  companyId?: string | undefined
  /** The organization it gives access to. */
  organizationId?: string | undefined
  /** When it was last used, to within a minute. */
  lastUsedAt?: string | undefined
  /** When it is deleted, if it was rotated. */
  deleteAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface KeyCreate {
  /** Display name of the key, such as the program that uses it. */
  name: string
  /** What the key may do: one permission for each verb. */
  permissions: ('read' | 'create' | 'update' | 'delete')[]
  /** The only resources that the key gives access to, each named by the first word of its paths, in the singular. Without this member, the key gives access to all. Only for keys of companies. */
  resources?: ('outlet' | 'station' | 'account' | 'role' | 'category' | 'product' | 'variant' | 'inventory' | 'catalog-visibility' | 'tax-table' | 'customer' | 'session' | 'cash-movement' | 'order' | 'transaction' | 'refund' | 'attachment' | 'closing' | 'inventory-history' | 'custom-table' | 'custom-table-field' | 'custom-table-row' | 'custom-table-value' | 'custom-table-data' | 'sale' | 'report' | 'event' | 'company' | 'setting')[] | null | undefined
  /** When the key expires; without it, the key is valid until it is deleted. */
  expiresAt?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** The first characters of the value. */
  prefix?: string | undefined
  /** The last characters of the value. */
  lastFour?: string | undefined
  /** The company it gives access to. */
  companyId?: string | undefined
  /** The organization it gives access to. */
  organizationId?: string | undefined
  /** When it was last used, to within a minute. */
  lastUsedAt?: string | undefined
  /** When it is deleted, if it was rotated. */
  deleteAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
}

/** A page of records, and where it is in the list. */
export interface KeyPage {
  /** The records of the page, in the order of the list. */
  data: Key[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface KeyRequest {
  /** When the request arrived. */
  at: string
  /** The HTTP method. */
  method: string
  /** The path and the query. Ids, numbers and named choices are as they were sent; `{name}` stands for every other value, since it may name a person. */
  path: string
  /** The status of the response; absent if the client left before the response began. */
  status?: number | undefined
  /** Milliseconds until the response had been sent. */
  ms: number
  /** The `x-request-id` of the response. */
  requestId: string
}

export interface KeyRequests {
  /** One entry for each request. */
  data: KeyRequest[]
}

export interface KeyRotation {
  /** When the old key is deleted, at most 90 days ahead; without it, at once. */
  deleteOldAt?: string | undefined
}

/** A record that arrived after the session that it belongs to was closed. */
export interface LateRecord {
  /** What it is, as its events name it. */
  resource: 'order' | 'transaction' | 'refund' | 'cash-movement'
  /** Identifies the record. */
  id: string
  /** The session that the record names. */
  sessionId: string
  /** When it happened: its `occurredAt`, or else its `createdAt`. */
  occurredAt: string
}

export interface LevelToAdjust {
  /** Optional for an existing variant, and beside a code, where it says which of several variants is meant. For any other `variantId`, optional only while at most one product has stock under it at the outlet. */
  productId?: string | undefined
  /** The variant whose stock is written. It need not exist. Required unless a code names the variant. */
  variantId?: string | undefined
  /** In place of `variantId`: the `sku` of the variant. */
  sku?: string | undefined
  /** In place of `variantId`: the `barcode` of the variant. */
  barcode?: string | undefined
  /** In place of `variantId`: the `externalId` of the variant. */
  variantExternalId?: string | undefined
  /** Where the stock is. */
  outletId: string
  /** The amount to add to the stock; negative to take stock away. At most six decimals. */
  delta: number
  /** The reason for the movement. */
  kind: 'SALE' | 'RETURN' | 'RECEIVED' | 'DAMAGE' | 'THEFT' | 'LOSS' | 'TRANSFER' | 'ADJUSTMENT'
  /** A name of your own for items that belong together, such as both halves of a transfer between outlets. Consecutive items with the same name are all carried out, or none of them. */
  group?: string | undefined
}

/** The items in an object, or as a bare array. */
export type LevelToAdjustBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: LevelToAdjustItem[]
  /** The reason; the history shows it. */
  reason?: string | undefined
} | LevelToAdjustItem[]

export type LevelToAdjustItem = LevelToAdjust & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

export interface LevelToSet {
  /** The product of the variant: for an existing variant, the one that the variant has. Required with `variantId`. */
  productId?: string | undefined
  /** The variant whose stock is written. It need not exist. Required unless a code names the variant. */
  variantId?: string | undefined
  /** In place of `variantId`: the `sku` of the variant. */
  sku?: string | undefined
  /** In place of `variantId`: the `barcode` of the variant. */
  barcode?: string | undefined
  /** In place of `variantId`: the `externalId` of the variant. */
  variantExternalId?: string | undefined
  /** Where the stock is. */
  outletId: string
  /** The new stock, with at most six decimals. `stock` means the same. */
  quantity?: number | undefined
  /** The same as `quantity`. */
  stock?: number | undefined
  /** The item fails with 409 if the current stock differs. A missing record counts as 0. */
  expectedQuantity?: number | undefined
}

/** The items in an object, or as a bare array. */
export type LevelToSetBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: LevelToSetItem[]
  /** The reason; the history shows it. */
  reason?: string | undefined
} | LevelToSetItem[]

export type LevelToSetItem = LevelToSet & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** What is taken off `subTotal`. Both discounts are positive amounts, or negative where `quantity` is negative. */
export interface LineDiscount {
  /** This line’s part of the order’s `cartDiscount`, for all its units together. */
  cartDiscount?: Share | undefined
  /** The discount on this line alone, for all its units together. */
  itemDiscount?: Share | undefined
}

export interface Link {
  /** `first`: creates the first owner. `password`: sets the password of an account. `invitation`: makes an account a member. */
  kind: 'first' | 'password' | 'invitation'
  /** Address of the account whose password is set. For an invitation: what the owner typed, which is only a label. */
  email?: string | undefined
  /** When the link stops working. */
  expiresAt: string
  /** The organization that the first owner gets, or that the invitation is for. */
  organizationName?: string | undefined
  /** True if this is a `password` link that works only in a browser signed in to the account with its passkey, or another second factor, and this browser is not; absent otherwise. */
  needsSecondFactor?: boolean | undefined
  /** For an invitation: the name that the owner typed; absent if they typed none. */
  name?: string | undefined
  /** For an invitation: the role that the account gets. */
  role?: 'viewer' | 'admin' | 'owner' | undefined
  /** For an invitation to one company: its name. */
  companyName?: string | undefined
  /** For an invitation: names of the companies it gives access to, at most twenty. */
  companies?: string[] | undefined
  /** For an invitation: the number of companies it gives access to. */
  companyCount?: number | undefined
  /** For an invitation: the owner who made the link. */
  invitedBy?: Inviter | undefined
}

export interface LinkToken {
  /** The part of the link after `#token=`. */
  token: string
}

export interface LinkUse {
  /** The part of the link after `#token=`. */
  token: string
  /** The new password: 10 to 200 characters. */
  password: string
  /** The address the person signs in with. */
  email?: string | undefined
  /** The name of the person. */
  name?: string | undefined
  /** If the account has a second factor: the six digits of the authenticator app, or a recovery code. Each is accepted once. */
  code?: string | undefined
}

export interface LinkedIdentities {
  /** One entry for each identity. */
  data: LinkedIdentity[]
}

export interface LinkedIdentity {
  /** Identifies the link. */
  id: string
  /** The OpenID provider. */
  issuer: string
  /** The address that the provider gave last; absent if it gave none. */
  email?: string | undefined
  /** Whether signing in with it counts as a second factor, because the operator relies on the provider’s own. */
  isSecondFactor: boolean
  /** When it was linked. */
  createdAt: string
  /** When it last signed its person in; absent if never. */
  lastUsedAt?: string | undefined
}

/** What its list supports: members to sort by, to search, and to filter by exact value, by any of several, and by range. */
export interface ListAbilities {
  /** Members that `sortBy` accepts. */
  sort: string[]
  /** Members that `searchBy…` parameters search. */
  search: string[]
  /** Members that have a filter of the same name, for one value. */
  exact: string[]
  /** Lists that have a filter of the same name, for any of several values. */
  any: string[]
  /** Times that have a filter of the same name, for bounds. */
  range: string[]
  /** Filters by more than one member, or by other records, such as `isOpen` of sessions. */
  further: string[]
}

export interface LowLevel {
  /** The inventory record. */
  inventoryId: string
  /** The variant that is running low. */
  variantId: string
  /** The product that the variant belongs to. */
  productId?: string | undefined
  /** The outlet where it is running low. */
  outletId: string
  /** Display name of the product. */
  productName?: string | undefined
  /** The values of its attributes. */
  variantName?: string | undefined
  /** Stock keeping unit of the variant. */
  sku?: string | undefined
  /** Display name of the outlet. */
  outletName?: string | undefined
  /** Units on hand. */
  stock: number
}

export interface LowStockReport {
  /** The levels below the bound, lowest first. */
  data: LowLevel[]
  /** The number of levels. */
  meta: LowStockReportMeta
}

/** The number of levels. */
export interface LowStockReportMeta {
  /** The number of all levels below the bound. */
  count: number
}

/** A person with access to a company, or to an organization and all its companies. */
export interface Member {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId: string
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state: 'invited' | 'active'
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface MemberCreate {
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | null | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId?: string | undefined
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state?: 'invited' | 'active' | undefined
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

export interface MemberDeclaration {
  /** Name of the member in JSON. */
  name: string
  /** The accepted values, as a JSON Schema; `x-refers-to` in it names the resource whose ids are accepted, as in `/v1/{many}`. */
  schema: { [name: string]: unknown }
  /** Whether it is required on create. */
  isRequired?: boolean | undefined
  /** Set by the service, and ignored in request bodies. */
  isServerOwned?: boolean | undefined
  /** Whether responses mask it, except the one to the create. */
  isSecret?: boolean | undefined
}

export interface MemberError {
  /** The part of the request. */
  in: 'body' | 'query' | 'header' | 'path'
  /** JSON pointer (RFC 6901) in the body, or the name of the parameter. */
  pointer: string
  /** What is wrong: `required`, `type`, `format`, `unknown` … */
  code: string
  /** Explains the error in a sentence. */
  message: string
  /** With `plan_limit`: what is limited, such as `outlets` or `users`. */
  resource?: string | undefined
  /** With `plan_limit`: how many the plan allows. With `minLength`, `maxLength`, `minItems`, `maxItems`, `minimum`, `exclusiveMinimum` and `maximum`: the bound, if the schema has it, and for amounts, quantities and rates. With `left`: what is left. With `stock` at a line of a sale: the stock. */
  limit?: number | undefined
  /** With `plan_limit`: how many there are. */
  count?: number | undefined
  /** The format that the member must have, if it has another one: `email`, `uri`, `date`, `date-time` … */
  format?: string | undefined
  /** With `open_session`: the id of the session that is open at the station. */
  id?: string | undefined
  /** With `suspended`: why the company is suspended, if a reason was given. */
  reason?: string | undefined
}

export interface MemberLink {
  /** Path at the service’s address. The link works once, within 7 days, and is shown only here. Hand the link to the person in a way that only they can read; `isMailed` says whether the service mails it too. It proves nothing about an e-mail address: the account of the person who opens it becomes the member. */
  link: string
  /** True if the link is also queued to be mailed to the address; absent without a mail server, or after many invitations within 15 minutes. */
  isMailed?: boolean | undefined
}

/** A page of records, and where it is in the list. */
export interface MemberPage {
  /** The records of the page, in the order of the list. */
  data: Member[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface MemberUpdate {
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role?: 'viewer' | 'admin' | 'owner' | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email?: string | undefined
  /** The name of the person. */
  name?: string | undefined
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId?: string | undefined
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state?: 'invited' | 'active' | undefined
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** A key and a value that an integration stores with a record. */
export interface MetadataEntry {
  /** Name of the value, chosen by your integration. */
  key: string
  /** Any text. Convert numbers and dates to text. */
  value: string
}

/** A key gives access to a company or an organization. Its value is shown once, when it is created. */
export interface NewKey {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the key, such as the program that uses it. */
  name: string
  /** What the key may do: one permission for each verb. */
  permissions: ('read' | 'create' | 'update' | 'delete')[]
  /** The only resources that the key gives access to, each named by the first word of its paths, in the singular. Without this member, the key gives access to all. Only for keys of companies. */
  resources?: ('outlet' | 'station' | 'account' | 'role' | 'category' | 'product' | 'variant' | 'inventory' | 'catalog-visibility' | 'tax-table' | 'customer' | 'session' | 'cash-movement' | 'order' | 'transaction' | 'refund' | 'attachment' | 'closing' | 'inventory-history' | 'custom-table' | 'custom-table-field' | 'custom-table-row' | 'custom-table-value' | 'custom-table-data' | 'sale' | 'report' | 'event' | 'company' | 'setting')[] | undefined
  /** When the key expires; without it, the key is valid until it is deleted. */
  expiresAt?: string | undefined
  /** The first characters of the value. */
  prefix: string
  /** The last characters of the value. */
  lastFour: string
  /** The company it gives access to. */
  companyId?: string | undefined
  /** The organization it gives access to. */
  organizationId?: string | undefined
  /** When it was last used, to within a minute. */
  lastUsedAt?: string | undefined
  /** When it is deleted, if it was rotated. */
  deleteAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** The value of the key. It is shown only here. */
  apiKey: string
}

/** A person with access to a company, or to an organization and all its companies. */
export interface NewMember {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId: string
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state: 'invited' | 'active'
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** Path at the service’s address. The link works once, within 7 days, and is shown only here. Hand the link to the person in a way that only they can read; `isMailed` says whether the service mails it too. It proves nothing about an e-mail address: the account of the person who opens it becomes the member. */
  link?: string | undefined
  /** True if the link is also queued to be mailed to the address; absent without a mail server, or after many invitations within 15 minutes. */
  isMailed?: boolean | undefined
}

/** A person with access to a company, or to an organization and all its companies. */
export interface NewOrganizationMember {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'admin' | 'owner'
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId: string
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state: 'invited' | 'active'
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** Path at the service’s address. The link works once, within 7 days, and is shown only here. Hand the link to the person in a way that only they can read; `isMailed` says whether the service mails it too. It proves nothing about an e-mail address: the account of the person who opens it becomes the member. */
  link?: string | undefined
  /** True if the link is also queued to be mailed to the address; absent without a mail server, or after many invitations within 15 minutes. */
  isMailed?: boolean | undefined
}

/** A company of the organization, with its own data in the service. */
export interface OnboardedCompany {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the company. */
  name: string
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email: string
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | undefined
  /** The account that was created with the company. */
  accountId: string
  /** The organization that onboarded the company. */
  organizationId: string
  /** While a company is suspended, its keys are answered 403. */
  status: 'active' | 'suspended'
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface OnboardingCreate {
  /** Display name of the company. */
  name: string
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email?: string | null | undefined
  /** Phone number of the company, in any notation. */
  phone?: string | null | undefined
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | null | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | null | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | null | undefined
  /** The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset. */
  dayStartHour?: number | null | undefined
  /** What the company sells or does. */
  industry?: string | null | undefined
  /** URL of a picture for receipts and pages. */
  logo?: string | null | undefined
  /** Where the company is based; the country is a separate member of the company. */
  address?: CompanyAddress | null | undefined
  /** Number under which the company is registered for tax, such as a VAT number, as its receipts print it. */
  taxId?: string | null | undefined
  /** Id in the organization’s own system, unique among its companies. */
  externalId?: string | null | undefined
  /** The plan that the company is on. */
  planId?: string | null | undefined
  /** Name of its first outlet; defaults to the name of the company. */
  outletName?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

export type OpenApiDocument = {
  /** The version of the OpenAPI specification. */
  openapi: string
  /** Title, version and introduction. */
  info: { [name: string]: unknown }
  /** The operations, by path and method. */
  paths: { [name: string]: unknown }
} & { [name: string]: unknown }

export interface OpenCompanies {
  /** The companies of the page, by name. */
  data: OpenCompany[]
  /** Where to continue. */
  meta: OpenCompaniesMeta
}

/** Where to continue. */
export interface OpenCompaniesMeta {
  /** Send it as `cursor` for the next page; absent on the last. */
  nextCursor?: string | undefined
}

export interface OpenCompany {
  /** Identifies the company: send it as `x-company-id`. */
  id: string
  /** Display name of the company. */
  name: string
  /** `active` or `suspended`. */
  status: string
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** The organization that onboarded the company. */
  organizationId: string
  /** What people call that organization. */
  organizationName: string
  /** ISO 4217 code of its amounts. */
  currency?: string | undefined
  /** IANA name of its time zone; absent if it has none. */
  timezone?: string | undefined
  /** ISO 3166-1 alpha-2 code; absent if it has none. */
  country?: string | undefined
}

export interface OpenSignIn {
  /** Identifies the sign-in, to end it. */
  id: string
  /** When you signed in. */
  createdAt: string
  /** When it was last used, to within a minute. */
  lastSeenAt: string
  /** The name that the browser sent. */
  userAgent: string
  /** The address that the sign-in came from. */
  address: string
  /** Whether it is the one that sent this request. */
  isCurrent: boolean
}

/** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
export interface Order {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | undefined
  /** The state of the sale. Reports count all orders except pending, parked and cancelled ones. Usually pending, parked, completed, refunded, partial-refund, cancelled; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency?: string | undefined
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | undefined
  /** Where the sale is made. */
  outletId?: string | undefined
  /** The till that makes the sale. */
  stationId?: string | undefined
  /** The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`. */
  sessionId?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService: boolean
  /** What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`. */
  balance?: string | undefined
  /** A remark by the customer. */
  customerNote?: string | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | undefined
  /** The totals of the sale, computed by the till. Refunds leave them as they are. */
  summary?: Summary | undefined
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | undefined
  /** Where the invoice goes. */
  billing?: Address | undefined
  /** Where the goods are delivered. */
  shipping?: Address | undefined
  /** What was paid: the amounts of the order’s transactions of the type `sale` or without a type. Amounts in a currency other than the order’s do not count. This member and the following ones exist once something was paid or returned. */
  paid?: string | undefined
  /** What was paid back: the amounts of its transactions of the type `refund` that are in its currency. */
  refunded?: string | undefined
  /** The value of what came back: `summary.total` + `summary.cashRounding` of its refunds that are in its currency. */
  returned?: string | undefined
  /** Units that came back: the quantities of the lines of its refunds, without those that went out again with an exchange. */
  returnedQuantity?: number | undefined
  /** What the customer owes: `summary.total` + `summary.cashRounding` − `returned` − `paid` + `refunded`. An amount that was paid in another currency is still owed. If negative, the shop owes the customer. For a cancelled order, only money that moved counts: `refunded` − `paid`. Any other order without `summary.total` does not have this member. */
  due?: string | undefined
  /** The payment status. If something is due, it is `unpaid`, or `partially-paid` if the shop has kept some of the money. Otherwise it is `paid`; `partially-refunded` if a part of the money went back; or `refunded` if all of it did, or if the order was cancelled or came back without having been paid. Absent without `due`. */
  paymentStatus?: 'unpaid' | 'partially-paid' | 'paid' | 'partially-refunded' | 'refunded' | undefined
  /** Whether the customer has the goods, derived from `status` and `returnedQuantity`. Absent on an order with the `source` `shopify` or `woocommerce` that is neither returned nor cancelled: its status does not say whether the goods were sent. */
  fulfilmentStatus?: 'unfulfilled' | 'fulfilled' | 'partially-returned' | 'returned' | 'cancelled' | undefined
  /** When `POST /v1/sale`, `POST /v1/sales` or `POST /v1/sale/{orderId}/complete` made the order a sale, and its goods left the shelf. It stays, whatever `status` becomes: an order is completed once. */
  completedAt?: string | undefined
  /** When the sale was voided. It stays, whatever `status` becomes: a voided sale can be neither voided again nor refunded. */
  voidedAt?: string | undefined
  /** Amounts of a sale that differed from the computed ones when it was made, at most 100. Only `POST /v1/sale` and `POST /v1/sales` check them. */
  checks?: AmountCheck[] | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface OrderBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (OrderBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface OrderBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  data: Order
}

/** The members of a new record. At least one of lineItems, customSales, summary is needed. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrderCreate {
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | null | undefined
  /** The state of the sale. Reports count all orders except pending, parked and cancelled ones. Usually pending, parked, completed, refunded, partial-refund, cancelled; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | null | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency?: string | null | undefined
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | null | undefined
  /** Where the sale is made. */
  outletId?: string | null | undefined
  /** The till that makes the sale. */
  stationId?: string | null | undefined
  /** The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`. */
  sessionId?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** A remark by the customer. */
  customerNote?: string | null | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | null | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | null | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | null | undefined
  /** The totals of the sale, computed by the till. Refunds leave them as they are. */
  summary?: Summary | null | undefined
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | null | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | null | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | null | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | null | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | null | undefined
  /** Where the invoice goes. */
  billing?: Address | null | undefined
  /** Where the goods are delivered. */
  shipping?: Address | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** What was paid: the amounts of the order’s transactions of the type `sale` or without a type. Amounts in a currency other than the order’s do not count. This member and the following ones exist once something was paid or returned. */
  paid?: string | undefined
  /** What was paid back: the amounts of its transactions of the type `refund` that are in its currency. */
  refunded?: string | undefined
  /** The value of what came back: `summary.total` + `summary.cashRounding` of its refunds that are in its currency. */
  returned?: string | undefined
  /** Units that came back: the quantities of the lines of its refunds, without those that went out again with an exchange. */
  returnedQuantity?: number | undefined
  /** What the customer owes: `summary.total` + `summary.cashRounding` − `returned` − `paid` + `refunded`. An amount that was paid in another currency is still owed. If negative, the shop owes the customer. For a cancelled order, only money that moved counts: `refunded` − `paid`. Any other order without `summary.total` does not have this member. */
  due?: string | undefined
  /** The payment status. If something is due, it is `unpaid`, or `partially-paid` if the shop has kept some of the money. Otherwise it is `paid`; `partially-refunded` if a part of the money went back; or `refunded` if all of it did, or if the order was cancelled or came back without having been paid. Absent without `due`. */
  paymentStatus?: 'unpaid' | 'partially-paid' | 'paid' | 'partially-refunded' | 'refunded' | undefined
  /** Whether the customer has the goods, derived from `status` and `returnedQuantity`. Absent on an order with the `source` `shopify` or `woocommerce` that is neither returned nor cancelled: its status does not say whether the goods were sent. */
  fulfilmentStatus?: 'unfulfilled' | 'fulfilled' | 'partially-returned' | 'returned' | 'cancelled' | undefined
  /** When `POST /v1/sale`, `POST /v1/sales` or `POST /v1/sale/{orderId}/complete` made the order a sale, and its goods left the shelf. It stays, whatever `status` becomes: an order is completed once. */
  completedAt?: string | undefined
  /** When the sale was voided. It stays, whatever `status` becomes: a voided sale can be neither voided again nor refunded. */
  voidedAt?: string | undefined
  /** Amounts of a sale that differed from the computed ones when it was made, at most 100. Only `POST /v1/sale` and `POST /v1/sales` check them. */
  checks?: AmountCheck[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type OrderCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (OrderCreateItem | OrderUpsertItem)[]
} | (OrderCreateItem | OrderUpsertItem)[]

export interface OrderCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: OrderCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (OrderCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface OrderCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  data: Order
}

/** How many items succeeded and failed. */
export interface OrderCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type OrderCreateItem = OrderCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A product or variant that is sold, with its price, discounts and taxes. */
export interface OrderLine {
  /** The product that is sold. It need not exist in the catalogue. */
  productId?: string | undefined
  /** The variant of the product that is sold. It need not exist in the catalogue. */
  variantId?: string | undefined
  /** Name of the item on the receipt; it stays if the product changes. In a sale, a line without a name gets that of its product. */
  name?: string | undefined
  /** Stock keeping unit of the variant at the time of the sale. In a sale, a line without `variantId` gets the variant that has it. */
  sku?: string | undefined
  /** URL of a picture of the item. */
  image?: string | undefined
  /** Details for the receipt, such as size and colour. */
  description?: string | undefined
  /** A remark on this line by the cashier or the customer. */
  note?: string | undefined
  /** Price of one unit, before any discount. Contains the tax if `summary.isTaxInclusive` is true. In `POST /v1/sale` it is the variant’s current price if it is left out. A decimal string in the sale’s `currency`. */
  price?: string | undefined
  /** Units sold; weighed goods have decimals, such as 0.35 kg. */
  quantity?: number | undefined
  /** `price` × `quantity`, before any discount. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  subTotal?: string | undefined
  /** What the line costs after all discounts: `subTotal` − `itemDiscount` − `cartDiscount`. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  total?: string | undefined
  /** The tax on `total`: the sum of `taxes`. A decimal string in the sale’s `currency`. */
  totalTax?: string | undefined
  /** The product in another system, such as your shop software. */
  productExternalId?: string | undefined
  /** The variant in another system, such as your shop software. */
  variantExternalId?: string | undefined
  /** Identifies the line in another system, such as your shop software. */
  lineItemExternalId?: string | undefined
  /** Identifies the line on the till. A refund repeats it for the line that is returned. */
  internalId?: string | undefined
  /** What happens to a returned item: back to stock, or not. The till moves the stock itself. Usually RESTOCK, REFUND_DAMAGE; any other value is accepted. */
  action?: string | undefined
  /** The taxes on this line, one entry for each rate. */
  taxes?: TaxEntry[] | undefined
  /** What is taken off `subTotal`. Both discounts are positive amounts, or negative where `quantity` is negative. */
  discount?: LineDiscount | undefined
  /** A fee for this line, such as a bottle deposit, usually {name, amount}. Part of `summary.total` only. */
  fee?: unknown | undefined
}

export interface OrderMerge {
  /** The open order whose lines and payments move to the order in the path. It is cancelled. */
  orderId: string
}

/** A page of records, and where it is in the list. */
export interface OrderPage {
  /** The records of the page, in the order of the list. */
  data: Order[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface OrderPayment {
  /** The transaction that records this payment. */
  transactionId?: string | undefined
  /** How it was paid: the `paymentMethod` of the transaction. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentType?: string | undefined
  /** What it pays of `summary.total`, tip included, change not included. A decimal string in the sale’s `currency`. */
  amount?: string | undefined
  /** When it was paid, as a date-time. */
  timestamp?: string | undefined
  /** The payment processor, such as `stripe`; absent for cash. */
  processor?: string | undefined
  /** Cash given back. The customer handed over `amount` + `change`. A decimal string in the sale’s `currency`. */
  change?: string | undefined
  /** The part of `amount` that is a tip. */
  tip?: Share | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrderSplitCreate {
  /** The lines that move to the new order. At least one line must stay. */
  lines: OrderSplitLine[]
  /** The number of the new order; none by default. */
  receiptId?: string | null | undefined
  /** Where the new order comes from. */
  source?: string | null | undefined
  /** The id of the new order in another system. */
  externalId?: string | null | undefined
  /** The customer of the new order; by default that of the first one. */
  customerId?: string | null | undefined
  /** The till of the new order; by default that of the first one. */
  stationId?: string | null | undefined
  /** The cashier of the new order; by default that of the first one. */
  employee?: string | null | undefined
  /** Keys and values of the new order; by default those of the first one. */
  metadata?: MetadataEntry[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The two orders of a split. */
export interface OrderSplitDone {
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  newOrder: Order
}

/** A line of the order that moves to the new order, whole or in part. */
export interface OrderSplitLine {
  /** Position of the line in the order’s `lineItems`, from 0. */
  lineItem?: number | undefined
  /** Position of the custom sale in the order’s `customSales`, from 0, instead of `lineItem`. */
  customSale?: number | undefined
  /** Units to move; by default the whole line. Below zero for a line that takes goods back. */
  quantity?: number | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrderUpdate {
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | null | undefined
  /** The state of the sale. Reports count all orders except pending, parked and cancelled ones. Usually pending, parked, completed, refunded, partial-refund, cancelled; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | null | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency?: string | null | undefined
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | null | undefined
  /** Where the sale is made. */
  outletId?: string | null | undefined
  /** The till that makes the sale. */
  stationId?: string | null | undefined
  /** The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`. */
  sessionId?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** A remark by the customer. */
  customerNote?: string | null | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | null | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | null | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | null | undefined
  /** The totals of the sale, computed by the till. Refunds leave them as they are. */
  summary?: Summary | null | undefined
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | null | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | null | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | null | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | null | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | null | undefined
  /** Where the invoice goes. */
  billing?: Address | null | undefined
  /** Where the goods are delivered. */
  shipping?: Address | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** What was paid: the amounts of the order’s transactions of the type `sale` or without a type. Amounts in a currency other than the order’s do not count. This member and the following ones exist once something was paid or returned. */
  paid?: string | undefined
  /** What was paid back: the amounts of its transactions of the type `refund` that are in its currency. */
  refunded?: string | undefined
  /** The value of what came back: `summary.total` + `summary.cashRounding` of its refunds that are in its currency. */
  returned?: string | undefined
  /** Units that came back: the quantities of the lines of its refunds, without those that went out again with an exchange. */
  returnedQuantity?: number | undefined
  /** What the customer owes: `summary.total` + `summary.cashRounding` − `returned` − `paid` + `refunded`. An amount that was paid in another currency is still owed. If negative, the shop owes the customer. For a cancelled order, only money that moved counts: `refunded` − `paid`. Any other order without `summary.total` does not have this member. */
  due?: string | undefined
  /** The payment status. If something is due, it is `unpaid`, or `partially-paid` if the shop has kept some of the money. Otherwise it is `paid`; `partially-refunded` if a part of the money went back; or `refunded` if all of it did, or if the order was cancelled or came back without having been paid. Absent without `due`. */
  paymentStatus?: 'unpaid' | 'partially-paid' | 'paid' | 'partially-refunded' | 'refunded' | undefined
  /** Whether the customer has the goods, derived from `status` and `returnedQuantity`. Absent on an order with the `source` `shopify` or `woocommerce` that is neither returned nor cancelled: its status does not say whether the goods were sent. */
  fulfilmentStatus?: 'unfulfilled' | 'fulfilled' | 'partially-returned' | 'returned' | 'cancelled' | undefined
  /** When `POST /v1/sale`, `POST /v1/sales` or `POST /v1/sale/{orderId}/complete` made the order a sale, and its goods left the shelf. It stays, whatever `status` becomes: an order is completed once. */
  completedAt?: string | undefined
  /** When the sale was voided. It stays, whatever `status` becomes: a voided sale can be neither voided again nor refunded. */
  voidedAt?: string | undefined
  /** Amounts of a sale that differed from the computed ones when it was made, at most 100. Only `POST /v1/sale` and `POST /v1/sales` check them. */
  checks?: AmountCheck[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type OrderUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: OrderUpdateItem[]
} | OrderUpdateItem[]

export type OrderUpdateItem = OrderUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<OrderUpdate[Name], undefined> })

export type OrderUpsertItem = OrderUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'source' | 'externalId']: Exclude<OrderUpdate[Name], undefined> })

/** The merged order and the cancelled order. */
export interface OrdersMerged {
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  cancelledOrder: Order
}

/** The organization that onboards companies, as its key and the readers of its extensions see it. */
export interface Organization {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What companies and readers of extensions call the organization. */
  name: string
  /** Made from the name; lower-case letters, digits and single hyphens. Unique among organizations. */
  alias: string
  /** An absolute http or https URL: it is shown on public pages. */
  logo?: string | undefined
  /** The currency of new companies that do not set one. USD if unset. */
  defaultCurrency?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** A person with access to a company, or to an organization and all its companies. */
export interface OrganizationMember {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'admin' | 'owner'
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId: string
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state: 'invited' | 'active'
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrganizationMemberCreate {
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email: string
  /** The name of the person. */
  name?: string | null | undefined
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'admin' | 'owner'
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId?: string | undefined
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state?: 'invited' | 'active' | undefined
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** A page of records, and where it is in the list. */
export interface OrganizationMemberPage {
  /** The records of the page, in the order of the list. */
  data: OrganizationMember[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrganizationMemberUpdate {
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role?: 'admin' | 'owner' | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified. */
  email?: string | undefined
  /** The name of the person. */
  name?: string | undefined
  /** Id of the account. For an invitation: the id that an account created with the link gets. */
  userId?: string | undefined
  /** `invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in. */
  state?: 'invited' | 'active' | undefined
  /** When the person last signed in. */
  lastSignInAt?: string | undefined
  /** For an invitation: when its link expires. */
  expiresAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface OrganizationUpdate {
  /** What companies and readers of extensions call the organization. */
  name?: string | undefined
  /** Made from the name; lower-case letters, digits and single hyphens. Unique among organizations. */
  alias?: string | undefined
  /** An absolute http or https URL: it is shown on public pages. */
  logo?: string | null | undefined
  /** The currency of new companies that do not set one. USD if unset. */
  defaultCurrency?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** A place where the company sells or keeps stock. */
export interface Outlet {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What staff and receipts call the outlet. */
  name: string
  /** Street and house number. */
  address?: string | undefined
  /** A second line: floor, unit or building. */
  address2?: string | undefined
  /** City, town or village. */
  city?: string | undefined
  /** State, province or region. */
  state?: string | undefined
  /** Country, preferably as an ISO 3166-1 alpha-2 code. */
  country?: string | undefined
  /** Postal code or ZIP code. */
  postCode?: string | undefined
  /** Phone number for customers. */
  phone?: string | undefined
  /** A short name or code, such as for receipt numbers. */
  alias?: string | undefined
  /** Ids of the stations at the outlet. The caller maintains the list. */
  stations?: string[] | undefined
  /** Tax registration or tax table that applies here, as your system names it. */
  taxId?: string | undefined
  /** Account at the payment processor that card payments here go to. */
  processorAccountId?: string | undefined
  /** What the payment processor needs to know about the outlet. Further members are kept. */
  processor?: OutletProcessor | undefined
  /** Number of the outlet, counted from 1 in each company. It is never used twice. */
  sequenceNumber: number
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface OutletBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (OutletBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface OutletBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A place where the company sells or keeps stock. */
  data: Outlet
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface OutletCreate {
  /** What staff and receipts call the outlet. */
  name: string
  /** Street and house number. */
  address?: string | null | undefined
  /** A second line: floor, unit or building. */
  address2?: string | null | undefined
  /** City, town or village. */
  city?: string | null | undefined
  /** State, province or region. */
  state?: string | null | undefined
  /** Country, preferably as an ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  /** Postal code or ZIP code. */
  postCode?: string | null | undefined
  /** Phone number for customers. */
  phone?: string | null | undefined
  /** A short name or code, such as for receipt numbers. */
  alias?: string | null | undefined
  /** Ids of the stations at the outlet. The caller maintains the list. */
  stations?: string[] | null | undefined
  /** Tax registration or tax table that applies here, as your system names it. */
  taxId?: string | null | undefined
  /** Account at the payment processor that card payments here go to. */
  processorAccountId?: string | null | undefined
  /** What the payment processor needs to know about the outlet. Further members are kept. */
  processor?: OutletProcessor | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** Number of the outlet, counted from 1 in each company. It is never used twice. */
  sequenceNumber?: number | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type OutletCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: OutletCreateItem[]
} | OutletCreateItem[]

export type OutletCreateItem = OutletCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface OutletPage {
  /** The records of the page, in the order of the list. */
  data: Outlet[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** What the payment processor needs to know about the outlet. Further members are kept. */
export interface OutletProcessor {
  /** Identifies the outlet at the processor. */
  locationId?: string | undefined
}

export interface OutletStockValue {
  /** Where the stock is. */
  outletId: string
  /** Display name of the outlet. */
  outletName?: string | undefined
  /** Variants with stock above zero, counted at each outlet. */
  levels: number
  /** Their units on hand. */
  units: number
  /** Units times `costPrice`. Variants without one add nothing. */
  cost: string
  /** Units times the current price: `salePrice` if `isOnSale`, else `price`. Variants without one add nothing. */
  retail: string
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface OutletUpdate {
  /** What staff and receipts call the outlet. */
  name?: string | undefined
  /** Street and house number. */
  address?: string | null | undefined
  /** A second line: floor, unit or building. */
  address2?: string | null | undefined
  /** City, town or village. */
  city?: string | null | undefined
  /** State, province or region. */
  state?: string | null | undefined
  /** Country, preferably as an ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  /** Postal code or ZIP code. */
  postCode?: string | null | undefined
  /** Phone number for customers. */
  phone?: string | null | undefined
  /** A short name or code, such as for receipt numbers. */
  alias?: string | null | undefined
  /** Ids of the stations at the outlet. The caller maintains the list. */
  stations?: string[] | null | undefined
  /** Tax registration or tax table that applies here, as your system names it. */
  taxId?: string | null | undefined
  /** Account at the payment processor that card payments here go to. */
  processorAccountId?: string | null | undefined
  /** What the payment processor needs to know about the outlet. Further members are kept. */
  processor?: OutletProcessor | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** Number of the outlet, counted from 1 in each company. It is never used twice. */
  sequenceNumber?: number | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type OutletUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: OutletUpdateItem[]
} | OutletUpdateItem[]

export type OutletUpdateItem = OutletUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<OutletUpdate[Name], undefined> })

/** The company itself. */
export interface OwnCompany {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the company. */
  name: string
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email?: string | undefined
  /** Phone number of the company, in any notation. */
  phone?: string | undefined
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | undefined
  /** The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset. */
  dayStartHour?: number | undefined
  /** What the company sells or does. */
  industry?: string | undefined
  /** URL of a picture for receipts and pages. */
  logo?: string | undefined
  /** Where the company is based; the country is a separate member of the company. */
  address?: CompanyAddress | undefined
  /** Number under which the company is registered for tax, such as a VAT number, as its receipts print it. */
  taxId?: string | undefined
  /** Id in the organization’s own system, unique among its companies. */
  externalId?: string | undefined
  /** The plan that the company is on. */
  planId?: string | undefined
  /** The account that was created with the company. */
  accountId?: string | undefined
  /** The organization that onboarded the company. */
  organizationId: string
  /** While a company is suspended, its keys are answered 403. */
  status: 'active' | 'suspended'
  /** The reason given in responses to the company’s keys while it is suspended; removed when it is active again. */
  suspendedReason?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** Name of the company’s plan. */
  planName?: string | undefined
}

export interface OwnCompanyAccess {
  /** Identifies the company: send it as `x-company-id`. */
  id: string
  /** Display name of the company. */
  name: string
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
  /** The organization that onboarded the company. */
  organizationId: string
  /** `active` or `suspended`. */
  status: string
  /** ISO 4217 code of its amounts. */
  currency?: string | undefined
  /** IANA name of its time zone; absent if it has none. */
  timezone?: string | undefined
  /** ISO 3166-1 alpha-2 code; absent if it has none. */
  country?: string | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface OwnCompanyUpdate {
  /** Display name of the company. */
  name?: string | undefined
  /** E-mail address of the company; defaults to that of the organization’s owner. */
  email?: string | null | undefined
  /** Phone number of the company, in any notation. */
  phone?: string | null | undefined
  /** Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case. */
  country?: string | null | undefined
  /** ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD. */
  currency?: string | null | undefined
  /** The time zone of the company’s days in reports, by its IANA name. UTC if unset. */
  timezone?: string | null | undefined
  /** The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset. */
  dayStartHour?: number | null | undefined
  /** What the company sells or does. */
  industry?: string | null | undefined
  /** URL of a picture for receipts and pages. */
  logo?: string | null | undefined
  /** Where the company is based; the country is a separate member of the company. */
  address?: CompanyAddress | null | undefined
  /** Number under which the company is registered for tax, such as a VAT number, as its receipts print it. */
  taxId?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** Id in the organization’s own system, unique among its companies. */
  externalId?: string | undefined
  /** The plan that the company is on. */
  planId?: string | undefined
  /** The account that was created with the company. */
  accountId?: string | undefined
  /** The organization that onboarded the company. */
  organizationId?: string | undefined
  /** While a company is suspended, its keys are answered 403. */
  status?: 'active' | 'suspended' | undefined
  /** The reason given in responses to the company’s keys while it is suspended; removed when it is active again. */
  suspendedReason?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** Name of the company’s plan. */
  planName?: string | undefined
}

export interface OwnOrganization {
  /** Identifies the organization: send it as `x-organization-id`. */
  id: string
  /** What people call the organization. */
  name: string
  /** A viewer reads, an admin does everything except change members, an owner does everything. */
  role: 'viewer' | 'admin' | 'owner'
}

/** Which page it is, and how many records match. */
export interface PageMeta {
  /** The number of all matching records. With `cursor`, present only if `count=true`. */
  count?: number | undefined
  /** The number of records before the page, as applied. */
  skip: number
  /** The maximum number of records on a page, as applied. */
  limit: number
  /** Send it as `cursor` for the next page; absent on the last. */
  nextCursor?: string | undefined
}

export interface Passkey {
  /** Identifies the passkey. */
  id: string
  /** Name that the person gave it. */
  name: string
  /** When it was registered. */
  createdAt: string
  /** When it last signed its person in; absent if never. */
  lastUsedAt?: string | undefined
  /** Whether a password manager copies it to further devices. */
  isSynced: boolean
}

export interface PasskeyBeginning {
  /** The password that the user signs in with. Ignored for an account without one. */
  currentPassword?: string | undefined
  /** Required while the second factor is on: the six digits of the authenticator app, or a recovery code. Each is accepted once. */
  code?: string | undefined
}

export interface PasskeyOptions {
  /** For `navigator.credentials`, as JSON (WebAuthn Level 3): for `parse…OptionsFromJSON` of `PublicKeyCredential`. */
  options: { [name: string]: unknown }
  /** Contains the encrypted challenge; valid for five minutes, and only once. */
  token: string
}

export interface PasskeyRegistration {
  /** The `token` that came with the options. */
  token: string
  /** The response of the browser to the options, as JSON of a `RegistrationResponse`. */
  response: unknown
  /** Name of the passkey, such as the device that has it. */
  name: string
}

export interface PasskeyRename {
  /** Name of the passkey, such as the device that has it. */
  name: string
}

export interface PasskeySignIn {
  /** The `token` that came with the options. */
  token: string
  /** The response of the browser to the options, as JSON of a `AuthenticationResponse`. */
  response: unknown
}

export interface Passkeys {
  /** One entry for each passkey. */
  data: Passkey[]
}

export interface PasswordReset {
  /** The address that the account signs in with, in any case. */
  email: string
}

export interface PasswordResetTaken {
  /** The status of the response, 202. */
  statusCode: 202
  /** What happens next, in a sentence for people. */
  message: string
}

/** The company as a customer of the payment processor, created after the company; on a restored service, once the operator resumes calls. It counts for the ETag, but does not change `updatedAt`. */
export interface PaymentCustomer {
  /** Whether the customer exists at the processor yet. */
  state: 'pending' | 'done'
  /** `stripe` or `local`, once it is done. */
  processor?: string | undefined
  /** The id of the customer there, once it is done. */
  customerId?: string | undefined
  /** The number of attempts. */
  tries: number
  /** The latest time of the next attempt, while it is pending. */
  nextTryAt?: string | undefined
  /** The error of the last attempt, while it is pending. */
  lastError?: string | undefined
}

/** Data of the payment from the payment processor. Any further members are stored. */
export interface PaymentData {
  /** The payment processor. */
  processor?: string | undefined
  /** Identifies the payment there. */
  processorTransactionId?: string | undefined
  /** The terminal or reader that took the card. */
  device?: string | undefined
}

/** The limits of companies. A plan belongs to one organization, or to all. */
export interface Plan {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the plan. */
  name: string
  /** The maximum of each that a company may have; a limit that is left out does not apply. */
  limits: PlanLimits
  /** No further company can be put on an inactive plan. */
  status: 'active' | 'inactive'
  /** Whether companies that are onboarded without a plan get it; an organization has one default plan. */
  isDefault: boolean
  /** Absent for a plan of all organizations. */
  organizationId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface PlanCreate {
  /** Display name of the plan. */
  name: string
  /** The maximum of each that a company may have; a limit that is left out does not apply. */
  limits?: {
    /** The most outlets that a company can create. */
    outlets?: number | undefined
    /** The most stations that a company can create, at all outlets together. */
    stations?: number | undefined
    /** The most products that a company can create; variants do not count. */
    products?: number | undefined
    /** The most accounts that a company can create, which are its employees. */
    users?: number | undefined
  } | null | undefined
  /** No further company can be put on an inactive plan. */
  status?: 'active' | 'inactive' | undefined
  /** Whether companies that are onboarded without a plan get it; an organization has one default plan. */
  isDefault?: boolean | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** Absent for a plan of all organizations. */
  organizationId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

/** The maximum of each that a company may have; a limit that is left out does not apply. */
export interface PlanLimits {
  /** The most outlets that a company can create. */
  outlets?: number | undefined
  /** The most stations that a company can create, at all outlets together. */
  stations?: number | undefined
  /** The most products that a company can create; variants do not count. */
  products?: number | undefined
  /** The most accounts that a company can create, which are its employees. */
  users?: number | undefined
}

/** A page of records, and where it is in the list. */
export interface PlanPage {
  /** The records of the page, in the order of the list. */
  data: Plan[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface PlanUpdate {
  /** Display name of the plan. */
  name?: string | undefined
  /** The maximum of each that a company may have; a limit that is left out does not apply. */
  limits?: {
    /** The most outlets that a company can create. */
    outlets?: number | undefined
    /** The most stations that a company can create, at all outlets together. */
    stations?: number | undefined
    /** The most products that a company can create; variants do not count. */
    products?: number | undefined
    /** The most accounts that a company can create, which are its employees. */
    users?: number | undefined
  } | null | undefined
  /** No further company can be put on an inactive plan. */
  status?: 'active' | 'inactive' | undefined
  /** Whether companies that are onboarded without a plan get it; an organization has one default plan. */
  isDefault?: boolean | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** Absent for a plan of all organizations. */
  organizationId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
}

export interface PreviewedChange {
  /** The kind of the record. */
  resource: 'product' | 'variant' | 'customer' | 'order' | 'transaction' | 'refund'
  /** Identifies the existing record. */
  id: string
  /** The name of a product, the SKU of a variant, the e-mail address of a customer, the receipt’s number of an order. */
  name?: string | undefined
  /** What would be overwritten, except stock. `before` or `after` is absent if there is no value; categories are paths of names, as far as the file names them. */
  members: PreviewedMember[]
  /** The stock that would be set at an outlet; absent if it does not change. A variant whose stock changes at several outlets is listed once for each. A run with `stock: false` does not change stock. */
  stock?: PreviewedStock | undefined
}

export interface PreviewedColumn {
  /** The heading. */
  column: string
  /** The member that it is imported as; absent if the column is ignored. */
  as?: string | undefined
}

/** The customer as it would be after the run, with the members of customers. Long texts and lists are cut. */
export interface PreviewedCustomer {
  /** What the run would do with it. */
  outcome: 'created' | 'updated' | 'unchanged'
  /** E-mail address for receipts and messages. Two customers may have the same address. */
  email?: string | undefined
  /** First name of the customer. */
  firstName?: string | undefined
  /** Last name of the customer. */
  lastName?: string | undefined
  /** Phone number in any notation; searches compare it as text. */
  phone?: string | undefined
  /** The outlet that the customer belongs to, such as where they signed up. */
  outletId?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it. */
  totalSpent?: string | undefined
  /** When the customer last bought or did something else. The caller maintains it. */
  lastAction?: string | undefined
  /** Words to group customers by. Lists filter by any of them. */
  tags?: string[] | undefined
  /** Where invoices go. */
  billing?: Address | undefined
  /** Where deliveries go. */
  shipping?: Address | undefined
  /** Your own data about the customer, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
  /** How the customer was first recorded. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
}

export interface PreviewedLocation {
  /** The location, as the file names it. */
  location: string
  /** The outlet of its stock: the chosen one, else the one with the same name or alias. Absent if the stock of the location is not imported. */
  outletId?: string | undefined
  /** The number of variants whose stock at the location is in the file. */
  variants: number
}

export interface PreviewedMember {
  /** Name of the member in JSON. */
  member: string
  /** The stored value. */
  before?: unknown | undefined
  /** The value that the file has. */
  after?: unknown | undefined
}

/** The order as it would be after the run, with the members of orders. Long texts and lists are cut. */
export interface PreviewedOrder {
  /** What the run would do with it. */
  outcome: 'created' | 'updated' | 'unchanged'
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | undefined
  /** The state of the sale. Reports count all orders except pending, parked and cancelled ones. Usually pending, parked, completed, refunded, partial-refund, cancelled; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency?: string | undefined
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | undefined
  /** Where the sale is made. */
  outletId?: string | undefined
  /** The till that makes the sale. */
  stationId?: string | undefined
  /** The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`. */
  sessionId?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`. */
  balance?: string | undefined
  /** A remark by the customer. */
  customerNote?: string | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | undefined
  /** The totals of the sale, computed by the till. Refunds leave them as they are. */
  summary?: Summary | undefined
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | undefined
  /** Where the invoice goes. */
  billing?: Address | undefined
  /** Where the goods are delivered. */
  shipping?: Address | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
}

/** A product as it would be after the run, with the members of a product. Texts longer than 1,000 characters and lists of more than 50 are cut. */
export interface PreviewedProduct {
  /** What the run would do with it. */
  outcome: 'created' | 'updated' | 'unchanged'
  /** What tills, shops and receipts call the product. */
  name?: string | undefined
  /** Whether customers choose between variants: a simple product has one, a variable product several. Usually simple, variable; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  productType?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** The full text for customers. HTML is stored as it is. */
  description?: string | undefined
  /** A sentence or two for lists and search results. HTML is stored as it is. */
  shortDescription?: string | undefined
  /** Stock keeping unit of the product; each variant has its own too. */
  sku?: string | undefined
  /** URLs of pictures, the main one first. */
  images?: string[] | undefined
  /** Words to group products by. Lists filter by any of them. */
  tags?: string[] | undefined
  /** Whether it is for sale. The service only stores it. Usually draft, active, archived; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** How the product was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** The lowest current price of its variants, in the company’s currency. Computed once a variant has a price; until then, the value that was sent. */
  minPrice?: number | undefined
  /** The highest current price of its variants, in the company’s currency. Computed like `minPrice`. */
  maxPrice?: number | undefined
  /** Supplier of the product. */
  supplier?: string | undefined
  /** The tax table of the product: the id or name of a tax table, or what your system calls it. */
  taxTable?: string | undefined
  /** Ids of the outlets that carry the product. All outlets do if the list is empty or missing. */
  outlets?: string[] | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** What distinguishes the variants. Each variant has one value of each attribute. */
  attributes?: ProductAttribute[] | undefined
  /** Paths of names: `Clothing > Shirts`. */
  categories?: string[] | undefined
  /** The number of its variants in the file; at most the first 50 are listed here. */
  variantsCount: number
  /** The first variants of the product in the file. */
  variants: PreviewedVariant[]
}

/** The stock that would be set at an outlet; absent if it does not change. A variant whose stock changes at several outlets is listed once for each. A run with `stock: false` does not change stock. */
export interface PreviewedStock {
  /** The outlet; absent if the run creates it. */
  outletId?: string | undefined
  /** Units on hand now; absent if nothing was counted yet. */
  before?: number | undefined
  /** Units on hand after the run. */
  after: number
}

/** A variant as it would be after the run, with the members of a variant. */
export interface PreviewedVariant {
  /** What the run would do with it. */
  outcome: 'created' | 'updated' | 'unchanged'
  /** The product that this is a version of. */
  productId?: string | undefined
  /** Whether its stock is counted, with a history. */
  manageStock?: boolean | undefined
  /** Stock keeping unit: your own code of the variant. */
  sku?: string | undefined
  /** Whether the current price is `salePrice` instead of `price`. */
  isOnSale?: boolean | undefined
  /** What a scanner reads, such as an EAN or UPC. */
  barcode?: string | undefined
  /** Regular price of one unit in the company’s currency, with or without tax as your shop displays prices. */
  price?: number | undefined
  /** Reduced price of one unit, current while `isOnSale` is true. With or without tax, like `price`. */
  salePrice?: number | undefined
  /** What one unit costs you, without tax. */
  costPrice?: number | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** Whether stock may go below zero. */
  allowBackorder?: boolean | undefined
  /** URLs of pictures of this variant, the main one first. */
  images?: string[] | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** What distinguishes this variant from the others of its product. */
  attributes?: VariantAttribute[] | undefined
  /** The price that the customer pays: `salePrice` if it is on sale, else `price`. */
  sellingPrice?: number | undefined
  /** The stock that the variant would have at the outlets of the file, added up. */
  stock?: number | undefined
}

/** The body of every error response (RFC 9457). */
export interface Problem {
  /** The code as a URN. */
  type: string
  /** Reason phrase of the status. */
  title: string
  /** The HTTP status. */
  status: number
  /** What went wrong, for people. */
  detail: string
  /** The same as `status`. */
  statusCode: number
  /** The same as `title`. */
  error: string
  /** The same as `detail`. */
  message: string
  /** What went wrong, as a code for programs. More codes may be added. */
  code: ProblemCode
  /** With 503 and 429, with a 409 about a rule of the shop, and with a 403 for a signed-in user: why, as a word for programs. More words may be added. */
  reason?: ProblemReason | undefined
  /** The same as the header `x-request-id`. */
  requestId: string
  /** Each wrong member of the request. */
  errors?: MemberError[] | undefined
}

/** What went wrong, as a code for programs. More codes may be added. */
export type ProblemCode = 'validation_failed' | 'malformed_body' | 'too_many_items' | 'missing_key' | 'invalid_key' | 'not_signed_in' | 'invalid_credentials' | 'second_factor_required' | 'invalid_second_factor' | 'invalid_passkey' | 'invalid_sso' | 'invalid_link' | 'conflicting_credentials' | 'permission_denied' | 'second_factor_missing' | 'key_not_bound' | 'plan_limit' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'duplicate_item' | 'version_mismatch' | 'idempotency_conflict' | 'idempotency_in_progress' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable'

/** With 503 and 429, with a 409 about a rule of the shop, and with a 403 for a signed-in user: why, as a word for programs. More words may be added. */
export type ProblemReason = 'database_unreachable' | 'database_timeout' | 'database_full' | 'connections_in_use' | 'queue_full' | 'memory_full' | 'deadline' | 'contention' | 'slow_upload' | 'sums_incomplete' | 'draining' | 'not_migrated' | 'provider_unreachable' | 'files_unreachable' | 'key_rate' | 'address_rate' | 'password_guesses' | 'sale_not_completed' | 'order_not_open' | 'sale_completed' | 'sale_voided' | 'sale_cancelled' | 'sale_has_refunds' | 'sale_refunded' | 'sale_paid' | 'sale_below_zero' | 'refund_above_rest' | 'session_closed' | 'closing_counted' | 'import_checking' | 'import_not_ready' | 'import_running' | 'import_undoing' | 'import_undone' | 'import_undone_in_part' | 'import_ended' | 'import_not_run' | 'import_not_undoable' | 'import_file_gone' | 'imports_busy' | 'already_exists' | 'group_refused' | 'field_has_values' | 'tables_full' | 'fields_full' | 'renames_full' | 'customer_tables_full' | 'customer_field_exists' | 'row_exists' | 'already_member' | 'already_invited' | 'members_full' | 'last_owner' | 'own_account' | 'factor_protected' | 'only_way_in' | 'would_lock_out' | 'identity_linked' | 'identities_full' | 'second_factor_on' | 'second_factor_off' | 'passkeys_full' | 'passkey_exists' | 'key_rotated' | 'key_expired' | 'default_plan' | 'trigger_inactive' | 'event_gone' | 'exports_busy' | 'export_running' | 'export_failed' | 'alias_taken' | 'admin_required' | 'owner_required' | 'membership_removed' | 'resource_denied' | 'other_site' | 'shared_plan' | 'member_elsewhere' | 'other_address' | 'factor_required' | 'own_factor_unused' | 'link_needs_factor'

/** Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored. */
export interface Product {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What tills, shops and receipts call the product. */
  name: string
  /** Whether customers choose between variants: a simple product has one, a variable product several. Usually simple, variable; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  productType?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** The full text for customers. HTML is stored as it is. */
  description?: string | undefined
  /** A sentence or two for lists and search results. HTML is stored as it is. */
  shortDescription?: string | undefined
  /** Stock keeping unit of the product; each variant has its own too. */
  sku?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService: boolean
  /** URLs of pictures, the main one first. */
  images?: string[] | undefined
  /** Words to group products by. Lists filter by any of them. */
  tags?: string[] | undefined
  /** Whether it is for sale. The service only stores it. Usually draft, active, archived; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** How the product was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** The lowest current price of its variants, in the company’s currency. Computed once a variant has a price; until then, the value that was sent. */
  minPrice?: number | undefined
  /** The highest current price of its variants, in the company’s currency. Computed like `minPrice`. */
  maxPrice?: number | undefined
  /** Supplier of the product. */
  supplier?: string | undefined
  /** The tax table of the product: the id or name of a tax table, or what your system calls it. */
  taxTable?: string | undefined
  /** Ids of the categories that list the product. */
  categories?: string[] | undefined
  /** Ids of the outlets that carry the product. All outlets do if the list is empty or missing. */
  outlets?: string[] | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** What distinguishes the variants. Each variant has one value of each attribute. */
  attributes?: ProductAttribute[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface ProductAttribute {
  /** What can be chosen. */
  name?: string | undefined
  /** What there is to choose from, in order. */
  values?: string[] | undefined
}

export interface ProductBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (ProductBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface ProductBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored. */
  data: Product
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface ProductCreate {
  /** What tills, shops and receipts call the product. */
  name: string
  /** Whether customers choose between variants: a simple product has one, a variable product several. Usually simple, variable; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  productType?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** The full text for customers. HTML is stored as it is. */
  description?: string | null | undefined
  /** A sentence or two for lists and search results. HTML is stored as it is. */
  shortDescription?: string | null | undefined
  /** Stock keeping unit of the product; each variant has its own too. */
  sku?: string | null | undefined
  /** URLs of pictures, the main one first. */
  images?: string[] | null | undefined
  /** Words to group products by. Lists filter by any of them. */
  tags?: string[] | null | undefined
  /** Whether it is for sale. The service only stores it. Usually draft, active, archived; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | null | undefined
  /** How the product was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** The lowest current price of its variants, in the company’s currency. Computed once a variant has a price; until then, the value that was sent. */
  minPrice?: number | null | undefined
  /** The highest current price of its variants, in the company’s currency. Computed like `minPrice`. */
  maxPrice?: number | null | undefined
  /** Supplier of the product. */
  supplier?: string | null | undefined
  /** The tax table of the product: the id or name of a tax table, or what your system calls it. */
  taxTable?: string | null | undefined
  /** Ids of the categories that list the product. */
  categories?: string[] | null | undefined
  /** Ids of the outlets that carry the product. All outlets do if the list is empty or missing. */
  outlets?: string[] | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** What distinguishes the variants. Each variant has one value of each attribute. */
  attributes?: ProductAttribute[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type ProductCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (ProductCreateItem | ProductUpsertItem)[]
} | (ProductCreateItem | ProductUpsertItem)[]

export interface ProductCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: ProductCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (ProductCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface ProductCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored. */
  data: Product
}

/** How many items succeeded and failed. */
export interface ProductCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type ProductCreateItem = ProductCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface ProductPage {
  /** The records of the page, in the order of the list. */
  data: Product[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface ProductUpdate {
  /** What tills, shops and receipts call the product. */
  name?: string | undefined
  /** Whether customers choose between variants: a simple product has one, a variable product several. Usually simple, variable; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  productType?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** The full text for customers. HTML is stored as it is. */
  description?: string | null | undefined
  /** A sentence or two for lists and search results. HTML is stored as it is. */
  shortDescription?: string | null | undefined
  /** Stock keeping unit of the product; each variant has its own too. */
  sku?: string | null | undefined
  /** URLs of pictures, the main one first. */
  images?: string[] | null | undefined
  /** Words to group products by. Lists filter by any of them. */
  tags?: string[] | null | undefined
  /** Whether it is for sale. The service only stores it. Usually draft, active, archived; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | null | undefined
  /** How the product was created. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** The lowest current price of its variants, in the company’s currency. Computed once a variant has a price; until then, the value that was sent. */
  minPrice?: number | null | undefined
  /** The highest current price of its variants, in the company’s currency. Computed like `minPrice`. */
  maxPrice?: number | null | undefined
  /** Supplier of the product. */
  supplier?: string | null | undefined
  /** The tax table of the product: the id or name of a tax table, or what your system calls it. */
  taxTable?: string | null | undefined
  /** Ids of the categories that list the product. */
  categories?: string[] | null | undefined
  /** Ids of the outlets that carry the product. All outlets do if the list is empty or missing. */
  outlets?: string[] | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** What distinguishes the variants. Each variant has one value of each attribute. */
  attributes?: ProductAttribute[] | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type ProductUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: ProductUpdateItem[]
} | ProductUpdateItem[]

export type ProductUpdateItem = ProductUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<ProductUpdate[Name], undefined> })

export type ProductUpsertItem = ProductUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'source' | 'externalId']: Exclude<ProductUpdate[Name], undefined> })

export interface ProductsReport {
  /** The company’s currency; records without a currency count in it. */
  currency?: string | undefined
  /** The time zone that defines the days: that of the request, else the company’s, else UTC. */
  timezone: string
  /** The hour at which the days begin: that of the request, else the company’s, else 0. */
  dayStartHour: number
  /** The first day of the report. */
  from: string
  /** The last day of the report, included. */
  to: string
  /** Whether the report is complete. While it is false, ask again soon. */
  isComplete: boolean
  /** The best-selling products, in the order of `sortBy`. */
  data: SoldProduct[]
}

/** A public extension and the organization that offers it. */
export interface PublishedExtension {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What shops call the extension. */
  name: string
  /** The full text for shops. HTML is stored as it is. */
  description?: string | undefined
  /** A sentence or two for lists. */
  shortDescription?: string | undefined
  /** The group under which lists show it; any word. The public list filters by it. */
  category?: string | undefined
  /** Only `public` extensions are shown to everyone. */
  status?: 'draft' | 'public' | 'archived' | undefined
  /** A small picture. An absolute http or https URL: it is shown on public pages. */
  icon?: string | undefined
  /** URLs of pictures, the main one first. */
  gallery?: string[] | undefined
  /** A page with more information. An absolute http or https URL: it is shown on public pages. */
  website?: string | undefined
  /** What it costs, for people to read. The service charges nothing. */
  price?: number | undefined
  /** Where the extension appears. A surface without an `id` gets one; ids must be unique. */
  surfaces?: PublishedSurface[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The organization that offers the extension. */
  organization: ExtensionOrganization
}

export type PublishedExtensionList = PublishedExtension[]

/** A public extension, ready to be opened. */
export interface PublishedExtensionRead {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What shops call the extension. */
  name: string
  /** The full text for shops. HTML is stored as it is. */
  description?: string | undefined
  /** A sentence or two for lists. */
  shortDescription?: string | undefined
  /** The group under which lists show it; any word. The public list filters by it. */
  category?: string | undefined
  /** Only `public` extensions are shown to everyone. */
  status?: 'draft' | 'public' | 'archived' | undefined
  /** A small picture. An absolute http or https URL: it is shown on public pages. */
  icon?: string | undefined
  /** URLs of pictures, the main one first. */
  gallery?: string[] | undefined
  /** A page with more information. An absolute http or https URL: it is shown on public pages. */
  website?: string | undefined
  /** What it costs, for people to read. The service charges nothing. */
  price?: number | undefined
  /** Where the extension appears. A surface without an `id` gets one; ids must be unique. */
  surfaces: ResolvedSurface[]
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The organization that offers the extension. */
  organization: ExtensionOrganization
}

export interface PublishedSurface {
  /** Identifies the surface within the extension. */
  id: string
  /** Where it runs. Usually web, ios, android, windows, all; any other value is accepted. */
  platform?: string | undefined
  /** How it is opened. Usually link, page, app, checkout; any other value is accepted. */
  type?: string | undefined
  /** The URL that it opens; defaults to the `website` of the extension. An absolute http or https URL: it is shown on public pages. */
  url?: string | undefined
}

/** The order as it was sent, with every amount computed. */
export interface QuotedOrder {
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | undefined
  /** The state of the sale. Reports count all orders except pending, parked and cancelled ones. Usually pending, parked, completed, refunded, partial-refund, cancelled; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency: string
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | undefined
  /** Where the sale is made. */
  outletId?: string | undefined
  /** The till that makes the sale. */
  stationId?: string | undefined
  /** The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`. */
  sessionId?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`. */
  balance: string
  /** A remark by the customer. */
  customerNote?: string | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | undefined
  /** The totals of the sale, computed by the till. Refunds leave them as they are. */
  summary: Summary
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | undefined
  /** Where the invoice goes. */
  billing?: Address | undefined
  /** Where the goods are delivered. */
  shipping?: Address | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
}

export interface Readiness {
  /** Always `ready`; otherwise the response is 503 with a `reason`. */
  status: 'ready'
}

export interface RecoveryCodes {
  /** Ten codes, each for one sign-in without the app. */
  recoveryCodes: string[]
}

export interface Redelivered {
  /** How many deliveries are sent again by this request. */
  count: number
  /** Whether more are left: repeat the request for them. */
  hasMore: boolean
}

/** Returned lines of an order, and the money paid back for them. It does not change stock. */
export interface Refund {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The order that is returned, whole or in part. */
  orderId: string
  /** The open session of the till that pays the money back. Without it, the refund is in no session report and no closing. */
  sessionId?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService: boolean
  /** When the goods came back. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** ISO 4217 code of all amounts of the refund: the currency of the order, which is also the default. */
  currency?: string | undefined
  /** The returned lines, each with the returned quantity. */
  lineItems: RefundLine[]
  /** Reason for the return. */
  reason?: string | undefined
  /** The user or account of the employee who made the refund. */
  refundedBy?: string | undefined
  /** That employee’s id in another system. */
  refundedByExternalId?: string | undefined
  /** The totals of the returned lines, as positive amounts. The tip is paid back only if it is here. */
  summary: Summary
  /** How the money was paid back. The amounts add up to `summary.total` + `summary.cashRounding`, plus, for the last refund of an overpaid sale, what was paid too much. */
  payment?: RefundPayment[] | undefined
  /** What remains of the order’s total after this and all earlier refunds. A decimal string in `currency`. */
  balance?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface RefundBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (RefundBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface RefundBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Returned lines of an order, and the money paid back for them. It does not change stock. */
  data: Refund
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface RefundCreate {
  /** The order that is returned, whole or in part. */
  orderId: string
  /** The open session of the till that pays the money back. Without it, the refund is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** When the goods came back. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of all amounts of the refund: the currency of the order, which is also the default. */
  currency?: string | null | undefined
  /** The returned lines, each with the returned quantity. */
  lineItems: RefundLine[]
  /** Reason for the return. */
  reason?: string | null | undefined
  /** The user or account of the employee who made the refund. */
  refundedBy?: string | null | undefined
  /** That employee’s id in another system. */
  refundedByExternalId?: string | null | undefined
  /** The totals of the returned lines, as positive amounts. The tip is paid back only if it is here. */
  summary: Summary
  /** How the money was paid back. The amounts add up to `summary.total` + `summary.cashRounding`, plus, for the last refund of an overpaid sale, what was paid too much. */
  payment?: RefundPayment[] | null | undefined
  /** What remains of the order’s total after this and all earlier refunds. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type RefundCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (RefundCreateItem | RefundUpsertItem)[]
} | (RefundCreateItem | RefundUpsertItem)[]

export interface RefundCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: RefundCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (RefundCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface RefundCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** Returned lines of an order, and the money paid back for them. It does not change stock. */
  data: Refund
}

/** How many items succeeded and failed. */
export interface RefundCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type RefundCreateItem = RefundCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A line of the order that is returned, whole or in part. Amounts are positive. */
export interface RefundLine {
  /** The product that is returned. It need not exist in the catalogue. */
  productId: string
  /** The variant of the product that is returned. It need not exist in the catalogue. */
  variantId: string
  /** Position of the line in the order’s `lineItems`, or in its `customSales` if `productId` is `custom-sale`, from 0. */
  position?: number | undefined
  /** Name of the item on the receipt; it stays if the product changes. */
  name?: string | undefined
  /** Stock keeping unit of the variant at the time of the sale. */
  sku?: string | undefined
  /** URL of a picture of the item. */
  image?: string | undefined
  /** Details for the receipt, such as size and colour. */
  description?: string | undefined
  /** A remark on this line by the cashier or the customer. */
  note?: string | undefined
  /** Price of one unit, before any discount. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  price?: string | undefined
  /** Units returned; weighed goods have decimals, such as 0.35 kg. */
  quantity?: number | undefined
  /** `price` × `quantity`, before any discount. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  subTotal?: string | undefined
  /** What the line costs after all discounts: `subTotal` − `itemDiscount` − `cartDiscount`. Contains the tax if `summary.isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  total?: string | undefined
  /** The tax on `total`: the sum of `taxes`. A decimal string in the sale’s `currency`. */
  totalTax?: string | undefined
  /** The product in another system, such as your shop software. */
  productExternalId?: string | undefined
  /** The variant in another system, such as your shop software. */
  variantExternalId?: string | undefined
  /** The `lineItemExternalId` of the order’s line that is returned. */
  lineItemExternalId?: string | undefined
  /** The `internalId` of the order’s line that is returned. */
  internalId?: string | undefined
  /** What happens to a returned item: back to stock, or not. The till moves the stock itself. Usually RESTOCK, REFUND_DAMAGE; any other value is accepted. */
  action?: string | undefined
  /** The taxes on this line, one entry for each rate. */
  taxes?: TaxEntry[] | undefined
  /** What is taken off `subTotal`. Both discounts are positive amounts, or negative where `quantity` is negative. */
  discount?: LineDiscount | undefined
  /** A fee for this line, such as a bottle deposit, usually {name, amount}. Part of `summary.total` only. */
  fee?: unknown | undefined
}

/** A page of records, and where it is in the list. */
export interface RefundPage {
  /** The records of the page, in the order of the list. */
  data: Refund[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

export interface RefundPayment {
  /** How it was paid back: the `paymentMethod` of the transaction. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentType?: string | undefined
  /** What was paid back this way, as a positive amount. A decimal string in the sale’s `currency`. */
  amount?: string | undefined
  /** The transaction of the type `refund` that records this payment. */
  transactionId?: string | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface RefundUpdate {
  /** The order that is returned, whole or in part. */
  orderId?: string | undefined
  /** The open session of the till that pays the money back. Without it, the refund is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** When the goods came back. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of all amounts of the refund: the currency of the order, which is also the default. */
  currency?: string | null | undefined
  /** The returned lines, each with the returned quantity. */
  lineItems?: RefundLine[] | undefined
  /** Reason for the return. */
  reason?: string | null | undefined
  /** The user or account of the employee who made the refund. */
  refundedBy?: string | null | undefined
  /** That employee’s id in another system. */
  refundedByExternalId?: string | null | undefined
  /** The totals of the returned lines, as positive amounts. The tip is paid back only if it is here. */
  summary?: Summary | undefined
  /** How the money was paid back. The amounts add up to `summary.total` + `summary.cashRounding`, plus, for the last refund of an overpaid sale, what was paid too much. */
  payment?: RefundPayment[] | null | undefined
  /** What remains of the order’s total after this and all earlier refunds. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type RefundUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: RefundUpdateItem[]
} | RefundUpdateItem[]

export type RefundUpdateItem = RefundUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<RefundUpdate[Name], undefined> })

export type RefundUpsertItem = RefundUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'externalId']: Exclude<RefundUpdate[Name], undefined> })

export interface Replayed {
  /** A `sequence` of the feed. */
  position: number
}

export interface ResolvedSurface {
  /** Identifies the surface within the extension. */
  id: string
  /** Where it runs. Usually web, ios, android, windows, all; any other value is accepted. */
  platform: string
  /** How it is opened. Usually link, page, app, checkout; any other value is accepted. */
  type: string
  /** The URL that it opens; defaults to the `website` of the extension. An absolute http or https URL: it is shown on public pages. */
  url: string
}

export interface ResourceDeclaration {
  /** Name in Style B paths: `/v1/{one}/{id}`. */
  one: string
  /** Name in list paths: `/v1/{many}`. */
  many: string
  /** Heading of its chapter in the reference. */
  title: string
  /** Name of one record within a sentence: `automation trigger`. */
  singular: string
  /** Describes a record in one or two sentences. */
  description: string
  /** The members of a record, in the order of forms. */
  members: MemberDeclaration[]
  /** At least one of these is required on create. */
  requireOneOf: string[]
  /** The types of events that its records raise. */
  eventTypes: string[]
  /** Whether deleting removes a record, or flags and keeps it. */
  remove: 'hard' | 'soft'
  /** What its list supports: members to sort by, to search, and to filter by exact value, by any of several, and by range. */
  list: ListAbilities
}

export interface ResourceDeclarations {
  /** A declaration for each resource. */
  data: ResourceDeclaration[]
}

/** A set of permissions that tills grant to employees. */
export interface Role {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What people call the role. */
  name: string
  /** What the role may and may not do. The service stores the list, and tills enforce it. */
  permissions?: RolePermission[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface RoleBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (RoleBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface RoleBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A set of permissions that tills grant to employees. */
  data: Role
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface RoleCreate {
  /** What people call the role. */
  name: string
  /** What the role may and may not do. The service stores the list, and tills enforce it. */
  permissions?: RolePermission[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type RoleCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: RoleCreateItem[]
} | RoleCreateItem[]

export type RoleCreateItem = RoleCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface RolePage {
  /** The records of the page, in the order of the list. */
  data: Role[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** What employees may or may not do. The examples are the permissions of the first roles of a company; a role may list others. */
export interface RolePermission {
  /** The permission in words, as people see it. */
  name?: string | undefined
  /** Identifies the permission for tills. */
  permissionId?: string | undefined
  /** The group under which people find the permission. */
  category?: string | undefined
  /** A group within `category`. */
  subCategory?: string | undefined
  /** Whether employees with this role may do it. */
  value?: boolean | undefined
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface RoleUpdate {
  /** What people call the role. */
  name?: string | undefined
  /** What the role may and may not do. The service stores the list, and tills enforce it. */
  permissions?: RolePermission[] | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type RoleUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: RoleUpdateItem[]
} | RoleUpdateItem[]

export type RoleUpdateItem = RoleUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<RoleUpdate[Name], undefined> })

/** A key gives access to a company or an organization. Its value is shown once, when it is created. */
export interface RotatedKey {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Display name of the key, such as the program that uses it. */
  name: string
  /** What the key may do: one permission for each verb. */
  permissions: ('read' | 'create' | 'update' | 'delete')[]
  /** The only resources that the key gives access to, each named by the first word of its paths, in the singular. Without this member, the key gives access to all. Only for keys of companies. */
  resources?: ('outlet' | 'station' | 'account' | 'role' | 'category' | 'product' | 'variant' | 'inventory' | 'catalog-visibility' | 'tax-table' | 'customer' | 'session' | 'cash-movement' | 'order' | 'transaction' | 'refund' | 'attachment' | 'closing' | 'inventory-history' | 'custom-table' | 'custom-table-field' | 'custom-table-row' | 'custom-table-value' | 'custom-table-data' | 'sale' | 'report' | 'event' | 'company' | 'setting')[] | undefined
  /** When the key expires; without it, the key is valid until it is deleted. */
  expiresAt?: string | undefined
  /** The first characters of the value. */
  prefix: string
  /** The last characters of the value. */
  lastFour: string
  /** The company it gives access to. */
  companyId?: string | undefined
  /** The organization it gives access to. */
  organizationId?: string | undefined
  /** When it was last used, to within a minute. */
  lastUsedAt?: string | undefined
  /** When it is deleted, if it was rotated. */
  deleteAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** The value of the key. It is shown only here. */
  apiKey: string
  /** Id of the old key. */
  replaces: string
}

/** Everything that a sale stored. */
export interface Sale {
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** A transaction for each payment, in the order of `payments`. */
  transactions: Transaction[]
  /** A person or business that buys. Deleting flags the record and keeps it. */
  customer?: SaleCustomerCreated | undefined
  /** The moves of stock, one for each line of a managed variant. */
  stock: SaleStockMove[]
}

export interface SaleBulkResult {
  /** How many items succeeded and failed. */
  summary: SaleBulkSummary
  /** One result for each item, in the order of the request. */
  results: (SaleBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface SaleBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=once`: whether the sale was made now, or an earlier request had made it. */
  outcome?: 'created' | 'unchanged' | undefined
  /** Everything that a sale stored. */
  data: Sale
}

/** How many items succeeded and failed. */
export interface SaleBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=once`: how many sales were made now. */
  created?: number | undefined
  /** With `mode=once`: how many sales earlier requests had made. */
  unchanged?: number | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface SaleCompletionCreate {
  /** The payments. Each becomes a transaction. The order’s `paymentMethods` are made of them unless they are sent. */
  payments?: SalePaymentCreate[] | null | undefined
  /** A new customer, with the members that `POST /v1/customer` takes. If a customer has the same `source` and `externalId` already, the sale is that customer’s, whose record stays as it is. Send `customerId` instead for one whose id you know. */
  customer?: SaleCustomer | null | undefined
  /** Whether stock may fall below zero, since the goods have left the shop already. The history of the stock shows it. */
  oversell?: boolean | null | undefined
  /** With `strict`, the sale is refused if an amount differs from the computed one. Otherwise such amounts are stored as sent, and the order’s `checks` list them. */
  check?: 'strict' | undefined
  /** The tip, in place of the one that the order has; `summary.total` changes with it. A decimal string in the order’s `currency`. */
  tip?: string | null | undefined
  /** When the sale was made; now by default, whatever the order says. */
  occurredAt?: string | null | undefined
  /** The number on the receipt, in place of the order’s. */
  receiptId?: string | null | undefined
  /** Where the sale is made and the goods leave the shelf, in place of the order’s. Without it, the money is at the outlet of the till that the request names. */
  outletId?: string | null | undefined
  /** The till that makes the sale; by default the order’s. The sale belongs to its open session. */
  stationId?: string | null | undefined
  /** The session of the sale, if it is not the open one of `stationId`. Without both, and without a station of the order, it is the order’s. */
  sessionId?: string | null | undefined
  /** The customer who buys, in place of the order’s. */
  customerId?: string | null | undefined
  /** The account or user of the cashier, in place of the order’s. */
  employee?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The members of a new record. At least one of lineItems, customSales is needed. Members that the service sets are ignored; any other unknown member is refused. */
export interface SaleCreate {
  /** The number on the receipt. The till chooses it. */
  receiptId?: string | null | undefined
  /** Always completed, which is the default. Store a sale that waits as an order. */
  status?: string | null | undefined
  /** When the sale was made. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of all amounts of the order. Without it, the company’s currency. */
  currency?: string | null | undefined
  /** The customer who buys. Anonymous sales have none. */
  customerId?: string | null | undefined
  /** Where the sale is made; by default the outlet of `stationId`, or else of the till of `sessionId`. */
  outletId?: string | null | undefined
  /** The till that makes the sale. The sale belongs to its open session. */
  stationId?: string | null | undefined
  /** The session of the sale, if it is not the open one of `stationId`. A sale without both is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** Where the sale comes from. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** What is still to be paid. It is computed if it is left out. */
  balance?: string | null | undefined
  /** A remark by the customer. */
  customerNote?: string | null | undefined
  /** The customer’s signature as an image in Base64. */
  signature?: string | null | undefined
  /** Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock. */
  parkReduceStock?: boolean | null | undefined
  /** Until when a parked order is kept for the customer. Nothing happens automatically at that time. */
  parkExpiryDate?: string | null | undefined
  /** The totals of the sale. Those that are left out are computed. */
  summary?: Summary | null | undefined
  /** A discount on the whole sale. Each line has its part of it. */
  cartDiscount?: CartDiscount | null | undefined
  /** Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only. */
  cartFees?: unknown[] | null | undefined
  /** The products that are sold, in the receipt’s order. */
  lineItems?: OrderLine[] | null | undefined
  /** What is sold without a product, such as a service. */
  customSales?: CustomSale[] | null | undefined
  /** The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up. */
  paymentMethods?: OrderPayment[] | null | undefined
  /** Where the invoice goes. */
  billing?: Address | null | undefined
  /** Where the goods are delivered. */
  shipping?: Address | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | null | undefined
  /** The payments. Each becomes a transaction. The order’s `paymentMethods` are made of them unless they are sent. */
  payments?: SalePaymentCreate[] | null | undefined
  /** A new customer, with the members that `POST /v1/customer` takes. If a customer has the same `source` and `externalId` already, the sale is that customer’s, whose record stays as it is. Send `customerId` instead for one whose id you know. */
  customer?: SaleCustomer | null | undefined
  /** Whether stock may fall below zero, since the goods have left the shop already. The history of the stock shows it. */
  oversell?: boolean | null | undefined
  /** With `strict`, the sale is refused if an amount differs from the computed one. Otherwise such amounts are stored as sent, and the order’s `checks` list them. */
  check?: 'strict' | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** False if the record was created with an API key, true if in the console. */
  fromService?: boolean | undefined
  /** What was paid: the amounts of the order’s transactions of the type `sale` or without a type. Amounts in a currency other than the order’s do not count. This member and the following ones exist once something was paid or returned. */
  paid?: string | undefined
  /** What was paid back: the amounts of its transactions of the type `refund` that are in its currency. */
  refunded?: string | undefined
  /** The value of what came back: `summary.total` + `summary.cashRounding` of its refunds that are in its currency. */
  returned?: string | undefined
  /** Units that came back: the quantities of the lines of its refunds, without those that went out again with an exchange. */
  returnedQuantity?: number | undefined
  /** What the customer owes: `summary.total` + `summary.cashRounding` − `returned` − `paid` + `refunded`. An amount that was paid in another currency is still owed. If negative, the shop owes the customer. For a cancelled order, only money that moved counts: `refunded` − `paid`. Any other order without `summary.total` does not have this member. */
  due?: string | undefined
  /** The payment status. If something is due, it is `unpaid`, or `partially-paid` if the shop has kept some of the money. Otherwise it is `paid`; `partially-refunded` if a part of the money went back; or `refunded` if all of it did, or if the order was cancelled or came back without having been paid. Absent without `due`. */
  paymentStatus?: 'unpaid' | 'partially-paid' | 'paid' | 'partially-refunded' | 'refunded' | undefined
  /** Whether the customer has the goods, derived from `status` and `returnedQuantity`. Absent on an order with the `source` `shopify` or `woocommerce` that is neither returned nor cancelled: its status does not say whether the goods were sent. */
  fulfilmentStatus?: 'unfulfilled' | 'fulfilled' | 'partially-returned' | 'returned' | 'cancelled' | undefined
  /** When `POST /v1/sale`, `POST /v1/sales` or `POST /v1/sale/{orderId}/complete` made the order a sale, and its goods left the shelf. It stays, whatever `status` becomes: an order is completed once. */
  completedAt?: string | undefined
  /** When the sale was voided. It stays, whatever `status` becomes: a voided sale can be neither voided again nor refunded. */
  voidedAt?: string | undefined
  /** Amounts of a sale that differed from the computed ones when it was made, at most 100. Only `POST /v1/sale` and `POST /v1/sales` check them. */
  checks?: AmountCheck[] | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type SaleCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: SaleCreateItem[]
} | SaleCreateItem[]

export type SaleCreateItem = SaleCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A new customer, with the members that `POST /v1/customer` takes. If a customer has the same `source` and `externalId` already, the sale is that customer’s, whose record stays as it is. Send `customerId` instead for one whose id you know. */
export type SaleCustomer = { [name: string]: unknown }

/** A person or business that buys. Deleting flags the record and keeps it. */
export interface SaleCustomerCreated {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** E-mail address for receipts and messages. Two customers may have the same address. */
  email?: string | undefined
  /** First name of the customer. */
  firstName?: string | undefined
  /** Last name of the customer. */
  lastName?: string | undefined
  /** Phone number in any notation; searches compare it as text. */
  phone?: string | undefined
  /** The outlet that the customer belongs to, such as where they signed up. */
  outletId?: string | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** True if, and only if, the customer has an `externalId`. */
  fromService: boolean
  /** What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it. */
  totalSpent?: string | undefined
  /** When the customer last bought or did something else. The caller maintains it. */
  lastAction?: string | undefined
  /** Words to group customers by. Lists filter by any of them. */
  tags?: string[] | undefined
  /** Where invoices go. */
  billing?: Address | undefined
  /** Where deliveries go. */
  shipping?: Address | undefined
  /** Your own data about the customer, usually {key, value}; any JSON is kept. */
  metadata?: unknown[] | undefined
  /** Remarks of the staff, usually {message, createdAt}; any JSON is kept. */
  notes?: unknown[] | undefined
  /** How the customer was first recorded. Usually manual, api, pos, import, woo-commerce; any other value is accepted. */
  source?: string | undefined
  /** True after a delete, which keeps the record. Lists omit deleted records. */
  isDeleted: boolean
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

/** What payments of a sale stored. */
export interface SalePaid {
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** A transaction for each payment, in the order of `payments`. */
  transactions: Transaction[]
}

/** A payment. It becomes a transaction; its order, session, outlet, receipt, currency and time are those of the sale. Another `currency` is refused. What the customer gets for goods that come back has the `type` `refund`. A payment of any other type than `sale` and `refund` is stored, but pays nothing of the sale. */
export interface SalePayment {
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** How it was paid. Reports and sessions group payments by it. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went. */
  amount: string
  /** Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings. Usually sale, refund, void; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  type?: string | undefined
  /** Remarks for people, such as an authorization code. */
  notes?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** What the customer still owes on the order after this payment. A decimal string in `currency`. */
  balance?: string | undefined
  /** Data of the payment from the payment processor. Any further members are stored. */
  paymentData?: PaymentData | undefined
  /** Cash given back, on the order only. The customer handed over `amount` + `change`. A decimal string in the sale’s `currency`. */
  change?: string | undefined
  /** The part of `amount` that is a tip, on the order only. */
  tip?: Share | undefined
}

/** A payment. It becomes a transaction; its order, session, outlet, receipt, currency and time are those of the sale. Another `currency` is refused. What the customer gets for goods that come back has the `type` `refund`. A payment of any other type than `sale` and `refund` is stored, but pays nothing of the sale. */
export interface SalePaymentCreate {
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** How it was paid. Reports and sessions group payments by it. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went. One payment of a sale or refund can leave it out: it pays what the others leave, in cash rounded to the smallest coin. */
  amount?: string | undefined
  /** Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings. Usually sale, refund, void; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  type?: string | undefined
  /** Remarks for people, such as an authorization code. */
  notes?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** What the customer still owes on the order after this payment. A decimal string in `currency`. */
  balance?: string | undefined
  /** Data of the payment from the payment processor. Any further members are stored. */
  paymentData?: PaymentData | undefined
  /** Cash given back, on the order only. The customer handed over `amount` + `change`. A decimal string in the sale’s `currency`. */
  change?: string | undefined
  /** The part of `amount` that is a tip, on the order only. */
  tip?: Share | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface SalePaymentsCreate {
  /** The payments. Each becomes a transaction. */
  payments: SalePaymentCreate[]
  /** When the money was taken; now by default. */
  occurredAt?: string | null | undefined
  /** The till that takes the money; by default the one that made the sale. The payments belong to its open session, and to its outlet. */
  stationId?: string | null | undefined
  /** The session of the payments, if it is not the open one of `stationId`. */
  sessionId?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** What a sale comes to. */
export interface SaleQuote {
  /** The order as it was sent, with every amount computed. */
  order: QuotedOrder
  /** The payments as they would be stored: cash that is too much is given back as change. */
  payments: SalePayment[]
  /** The amounts that were sent and differ, at most 100. The list is empty if the sums are right. */
  checks: AmountCheck[]
  /** ISO 4217 code of all amounts. */
  currency: string
  /** What the sale costs: `summary.total`. A decimal string in `currency`. */
  total: string
  /** What the payments add up to, without change. A decimal string in `currency`. */
  paid: string
  /** What is still to be paid, negative if too much was paid. A decimal string in `currency`. */
  due: string
  /** The cash to give back. A decimal string in `currency`. */
  change: string
  /** The amount to pay in cash: the remainder after all other payments, rounded to the smallest coin. A decimal string in `currency`. */
  cashTotal: string
  /** What that rounding adds to the total if the remainder is paid in cash; otherwise zero. A decimal string in `currency`. */
  cashRounding: string
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface SaleRefundCreate {
  /** The lines that come back; none if the list is empty. Without it everything that is left of the sale is refunded, delivery, fees and tip included. */
  lines?: SaleRefundLine[] | null | undefined
  /** The part of the charge for delivery that is paid back besides `lines`, which is then required. A decimal string. */
  shippingTotal?: string | null | undefined
  /** The part of the tip that is paid back besides `lines`, which is then required. A decimal string. */
  tip?: string | null | undefined
  /** The part of the fees of the cart that is paid back besides `lines`, which is then required. A decimal string. */
  fees?: string | null | undefined
  /** How the money is paid back; the amounts must add up to the refund, and one can be left out. By default, the methods with which the order was paid, in their order. */
  payments?: SalePaymentCreate[] | null | undefined
  /** The outlet where the goods are restocked; by default the order’s. */
  outletId?: string | null | undefined
  /** The till that pays the money back; by default the order’s. Its open session is the refund’s, and its outlet that of the money. */
  stationId?: string | null | undefined
  /** The session of the refund, if it is not the open one of `stationId`. A refund without both is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** When the goods came back. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** Reason for the return. */
  reason?: string | null | undefined
  /** The user or account of the employee who made the refund. */
  refundedBy?: string | null | undefined
  /** That employee’s id in another system. */
  refundedByExternalId?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** A line of the order that comes back, whole or in part. */
export interface SaleRefundLine {
  /** Position of the line in the order’s `lineItems`, from 0. */
  lineItem?: number | undefined
  /** Position of the custom sale in the order’s `customSales`, from 0, instead of `lineItem`. */
  customSale?: number | undefined
  /** Units that come back; all that are left by default. */
  quantity?: number | undefined
  /** Whether the goods are restocked (the default), or not, such as damaged ones. Only managed variants have stock. */
  restock?: boolean | undefined
}

/** Everything that a refund stored. */
export interface SaleRefunded {
  /** Returned lines of an order, and the money paid back for them. It does not change stock. */
  refund: Refund
  /** A transaction for each payment, in the order of `payments`. */
  transactions: Transaction[]
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** The moves of stock, one for each line of a managed variant. */
  stock: SaleStockMove[]
}

/** What a line did to the stock of its variant at the outlet. */
export interface SaleStockMove {
  /** Position of the line in `lineItems` of the order, from 0. */
  lineItem: number
  /** The inventory record that changed. */
  inventoryId: string
  /** The variant of the line. */
  variantId: string
  /** The outlet whose stock changed. */
  outletId: string
  /** Units before; 0 for a new inventory record. */
  previousStock: number
  /** Units after. */
  stock: number
}

export interface SaleVoid {
  /** Whether the goods are restocked; true by default. */
  restock?: boolean | undefined
  /** The outlet where the goods are restocked; by default the order’s. */
  outletId?: string | undefined
}

/** What a void changed. */
export interface SaleVoided {
  /** A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members. */
  order: Order
  /** A transaction for each payment, in the order of `payments`. */
  transactions: Transaction[]
  /** The moves of stock, one for each line of a managed variant. */
  stock: SaleStockMove[]
}

export interface SalesDay {
  /** A day in the time zone of the report. */
  date: string
  /** The sum of transactions whose type is `sale`, or unset. */
  sales: string
  /** The number of these transactions. */
  salesCount: number
  /** The sum of transactions whose type is `refund`, without their signs. */
  refunds: string
  /** The number of these transactions. */
  refundsCount: number
  /** Sales minus refunds. */
  net: string
  /** Orders that are neither pending, parked nor cancelled, in all currencies. */
  orders: number
}

/** A member for each dimension; null for amounts without such a value. Beside an id, what its record is called now; null if that is unknown. With a dimension of lines, these are custom sales, tips, delivery, fees, and amounts that only the summary of an order or refund has. */
export interface SalesGroup {
  /** The outlet of the order; for a refund, the outlet of its order; with `paymentMethod`, the outlet of the payment. */
  outletId?: string | null | undefined
  /** The station of the order; for a refund, the station of its order. */
  stationId?: string | null | undefined
  /** The session of the order, refund or payment itself. */
  sessionId?: string | null | undefined
  /** `employee` of the order or payment, `refundedBy` of a refund. */
  employee?: string | null | undefined
  /** The first of the product’s `categories`, as it is now. */
  categoryId?: string | null | undefined
  /** The product of the line. */
  productId?: string | null | undefined
  /** The variant of the line. */
  variantId?: string | null | undefined
  /** `paymentMethod` of the transaction. */
  paymentMethod?: string | null | undefined
  /** The rate in percent. A line with several rates counts in each of their groups, with its tax at that rate. */
  taxRate?: number | null | undefined
  /** The customer of the order; for a refund, the customer of its order. */
  customerId?: string | null | undefined
  /** A tag of the customer, one of the first 20, as it is now. A sale to a customer with several tags counts in each of their groups. */
  tag?: string | null | undefined
  /** The hour of the day, 0 to 23, in the company’s time zone. When clocks are set back, the repeated hour is one group. */
  hour?: number | null | undefined
  /** The day of the week, 1 (Monday) to 7 (Sunday). */
  weekday?: number | null | undefined
  /** The date. */
  day?: string | null | undefined
  /** The week of ISO 8601, such as `2026-W47`; it begins on Monday. */
  week?: string | null | undefined
  /** The month, such as `2026-11`. */
  month?: string | null | undefined
  /** Name of the outlet of `outletId`; without `outletId`, the outlet of the station. */
  outletName?: string | null | undefined
  /** Display name of the station. */
  stationName?: string | null | undefined
  /** The number that the till gave the session. */
  sessionNumber?: string | null | undefined
  /** `openTime` of the session, or else its `createdAt`. */
  openTime?: string | null | undefined
  /** `name` of the account, or else its e-mail address. Only for keys that can read accounts. */
  employeeName?: string | null | undefined
  /** Display name of the category. */
  categoryName?: string | null | undefined
  /** Name of the product; without `productId`, the product of the variant. If there is no record, the name in its last line among the last 5,000 orders of the period. */
  productName?: string | null | undefined
  /** The values of the variant’s attributes. */
  variantName?: string | null | undefined
  /** `sku` of the variant; if the variant has no record, that of the same line. */
  sku?: string | null | undefined
  /** `firstName` and `lastName` of the customer, also of a deleted one, or else the e-mail address or phone number. Only for keys that can read customers. */
  customerName?: string | null | undefined
  /** The currency of the sums: currencies are never added together. */
  currency?: string | undefined
  /** By `paymentMethod`: transactions whose type is `sale` or unset, tips included. It replaces the sums of orders. */
  paid?: string | undefined
  /** `subTotal` of the lines, or `price` × `quantity` where they have none, as for custom sales (or their `total`, if it differs only by rounding); before discounts, with the tax that prices contain. */
  grossSales?: string | undefined
  /** All discounts on lines and carts: `subTotal` minus `total` of the lines, and what only the summary or the cart has. */
  discounts?: string | undefined
  /** `grossSales` minus `discounts` and minus the tax that prices contain, so without tax. Refunds are not subtracted. */
  netSales?: string | undefined
  /** `totalTax` of the lines, contained in prices or added to them, and what `totalTaxes` of the summary has beyond them, such as a tax on delivery. Taxes of refunds are not subtracted. */
  tax?: string | undefined
  /** `summary.tip.amount` of the orders. */
  tips?: string | undefined
  /** Delivery: `summary.shippingTotal` of the orders. Refunds are not subtracted. */
  shipping?: string | undefined
  /** Fees: `amount` in `cartFees` of the orders and in `fee` of their lines. Refunds are not subtracted. */
  fees?: string | undefined
  /** `netSales` + `tax` + `tips` + `shipping` + `fees`: what customers had to pay. It equals `summary.total` of orders whose amounts add up. Refunds are not subtracted. */
  totalSales?: string | undefined
  /** `summary.cashRounding` of the orders: what rounding to the smallest coin added to `totalSales`, also when a sale was paid later; negative if it reduced it. It is in no other sum. */
  cashRounding?: string | undefined
  /** The amount refunded, with tax: `summary.total` of refunds at their own time, without refunds of orders that do not count. For payments, transactions with the type `refund`. */
  refunded: string
  /** `refunded` − `refundedTax` − `refundedTips` − `refundedShipping` − `refundedFees`: what was refunded for goods, without tax. `netSales` − `refundedNet` is the net sales after returns. */
  refundedNet?: string | undefined
  /** How much of `refunded` was tax: by `taxRate`, at that rate. */
  refundedTax?: string | undefined
  /** How much of `refunded` was for tips. */
  refundedTips?: string | undefined
  /** How much of `refunded` was for delivery. */
  refundedShipping?: string | undefined
  /** How much of `refunded` was for fees: what refunds pay back beyond lines, tip and delivery. */
  refundedFees?: string | undefined
  /** What rounding to the smallest coin added to the refunds. `refunded` does not include it. */
  refundedCashRounding?: string | undefined
  /** Units sold: `quantity` of the lines, 1 where it is missing; goods given in exchange in the same sale are subtracted, later returns are not. */
  quantity?: number | undefined
  /** Units that came back: `quantity` of the lines of refunds. */
  refundedQuantity?: number | undefined
  /** The number of orders; with a dimension of lines, of lines; with `paymentMethod`, of payments. */
  count: number
  /** `netSales` (by `paymentMethod`, `paid`) divided by `count`, rounded half up. Missing if `count` is 0. */
  average?: string | undefined
  /** By a dimension of lines: `quantity` times `costPrice` of the variants, as it is now. Missing if no variant has one. */
  cost?: string | undefined
  /** `netSales` of the lines whose variant has a `costPrice`, minus `cost`, before returns. Missing if `cost` is missing. */
  margin?: string | undefined
  /** The cost of the units that came back, but for those with the `action` `REFUND_DAMAGE`: what returned to stock. Missing if `cost` is missing. */
  refundedCost?: string | undefined
  /** `margin` minus `refundedNet` of lines whose variant has a `costPrice`, plus `refundedCost`: the profit on goods after returns. Missing if `cost` is missing. */
  grossProfit?: string | undefined
  /** The same sums in the period before; only with `compare`. */
  previous?: SalesGroupSums | undefined
}

/** The same sums in the period before; only with `compare`. */
export interface SalesGroupSums {
  /** By `paymentMethod`: transactions whose type is `sale` or unset, tips included. It replaces the sums of orders. */
  paid?: string | undefined
  /** `subTotal` of the lines, or `price` × `quantity` where they have none, as for custom sales (or their `total`, if it differs only by rounding); before discounts, with the tax that prices contain. */
  grossSales?: string | undefined
  /** All discounts on lines and carts: `subTotal` minus `total` of the lines, and what only the summary or the cart has. */
  discounts?: string | undefined
  /** `grossSales` minus `discounts` and minus the tax that prices contain, so without tax. Refunds are not subtracted. */
  netSales?: string | undefined
  /** `totalTax` of the lines, contained in prices or added to them, and what `totalTaxes` of the summary has beyond them, such as a tax on delivery. Taxes of refunds are not subtracted. */
  tax?: string | undefined
  /** `summary.tip.amount` of the orders. */
  tips?: string | undefined
  /** Delivery: `summary.shippingTotal` of the orders. Refunds are not subtracted. */
  shipping?: string | undefined
  /** Fees: `amount` in `cartFees` of the orders and in `fee` of their lines. Refunds are not subtracted. */
  fees?: string | undefined
  /** `netSales` + `tax` + `tips` + `shipping` + `fees`: what customers had to pay. It equals `summary.total` of orders whose amounts add up. Refunds are not subtracted. */
  totalSales?: string | undefined
  /** `summary.cashRounding` of the orders: what rounding to the smallest coin added to `totalSales`, also when a sale was paid later; negative if it reduced it. It is in no other sum. */
  cashRounding?: string | undefined
  /** The amount refunded, with tax: `summary.total` of refunds at their own time, without refunds of orders that do not count. For payments, transactions with the type `refund`. */
  refunded?: string | undefined
  /** `refunded` − `refundedTax` − `refundedTips` − `refundedShipping` − `refundedFees`: what was refunded for goods, without tax. `netSales` − `refundedNet` is the net sales after returns. */
  refundedNet?: string | undefined
  /** How much of `refunded` was tax: by `taxRate`, at that rate. */
  refundedTax?: string | undefined
  /** How much of `refunded` was for tips. */
  refundedTips?: string | undefined
  /** How much of `refunded` was for delivery. */
  refundedShipping?: string | undefined
  /** How much of `refunded` was for fees: what refunds pay back beyond lines, tip and delivery. */
  refundedFees?: string | undefined
  /** What rounding to the smallest coin added to the refunds. `refunded` does not include it. */
  refundedCashRounding?: string | undefined
  /** Units sold: `quantity` of the lines, 1 where it is missing; goods given in exchange in the same sale are subtracted, later returns are not. */
  quantity?: number | undefined
  /** Units that came back: `quantity` of the lines of refunds. */
  refundedQuantity?: number | undefined
  /** The number of orders; with a dimension of lines, of lines; with `paymentMethod`, of payments. */
  count?: number | undefined
  /** `netSales` (by `paymentMethod`, `paid`) divided by `count`, rounded half up. Missing if `count` is 0. */
  average?: string | undefined
  /** By a dimension of lines: `quantity` times `costPrice` of the variants, as it is now. Missing if no variant has one. */
  cost?: string | undefined
  /** `netSales` of the lines whose variant has a `costPrice`, minus `cost`, before returns. Missing if `cost` is missing. */
  margin?: string | undefined
  /** The cost of the units that came back, but for those with the `action` `REFUND_DAMAGE`: what returned to stock. Missing if `cost` is missing. */
  refundedCost?: string | undefined
  /** `margin` minus `refundedNet` of lines whose variant has a `costPrice`, plus `refundedCost`: the profit on goods after returns. Missing if `cost` is missing. */
  grossProfit?: string | undefined
}

export interface SalesGroups {
  /** The company’s currency; records without a currency count in it. */
  currency?: string | undefined
  /** The time zone that defines the days: that of the request, else the company’s, else UTC. */
  timezone: string
  /** The hour at which the days begin: that of the request, else the company’s, else 0. */
  dayStartHour: number
  /** The first day of the report. */
  from: string
  /** The last day of the report, included. */
  to: string
  /** Whether the report is complete. While it is false, ask again soon. */
  isComplete: boolean
  /** The period of comparison; only with `compare`. */
  previous?: SalesPeriod | undefined
  /** The dimensions, in the order of the request. */
  groupBy: ('outletId' | 'stationId' | 'sessionId' | 'employee' | 'categoryId' | 'productId' | 'variantId' | 'paymentMethod' | 'taxRate' | 'customerId' | 'tag' | 'hour' | 'weekday' | 'day' | 'week' | 'month')[]
  /** Groups with sales or refunds: the company’s currency first, then by time, then the highest sales first. */
  groups: SalesGroup[]
}

export interface SalesInOtherCurrency {
  /** ISO 4217 code of the transactions. */
  currency: string
  /** The sum of transactions whose type is `sale`, or unset. */
  sales: string
  /** The sum of transactions whose type is `refund`, without their signs. */
  refunds: string
}

export interface SalesPaymentMethod {
  /** `paymentMethod` of the transactions. */
  paymentMethod: string
  /** The sum of transactions whose type is `sale`, or unset. */
  sales: string
  /** The number of these transactions. */
  salesCount: number
}

/** The period of comparison; only with `compare`. */
export interface SalesPeriod {
  /** The first day of the period before. */
  from: string
  /** The last day of the period before, included. */
  to: string
}

export interface SalesReport {
  /** The company’s currency; records without a currency count in it. */
  currency?: string | undefined
  /** The time zone that defines the days: that of the request, else the company’s, else UTC. */
  timezone: string
  /** The hour at which the days begin: that of the request, else the company’s, else 0. */
  dayStartHour: number
  /** The first day of the report. */
  from: string
  /** The last day of the report, included. */
  to: string
  /** Whether the report is complete. While it is false, ask again soon. */
  isComplete: boolean
  /** The sums of all days together. */
  totals: SalesTotals
  /** One entry for each day, also for days without sales, the oldest first. */
  days: SalesDay[]
  /** Highest sales first, at most 100. */
  paymentMethods: SalesPaymentMethod[]
  /** Payments in other currencies, which none of the sums above include. */
  otherCurrencies: SalesInOtherCurrency[]
}

export type SalesReportOrGroups = SalesReport | SalesGroups

/** The sums of all days together. */
export interface SalesTotals {
  /** The sum of transactions whose type is `sale`, or unset. */
  sales: string
  /** The number of these transactions. */
  salesCount: number
  /** The sum of transactions whose type is `refund`, without their signs. */
  refunds: string
  /** The number of these transactions. */
  refundsCount: number
  /** Sales minus refunds. */
  net: string
  /** Orders that are neither pending, parked nor cancelled, in all currencies. */
  orders: number
}

export interface SearchHit {
  /** What kind of record it is. */
  resource: 'customer' | 'product' | 'variant' | 'order' | 'outlet' | 'station' | 'account' | 'role' | 'category' | 'inventory' | 'catalog-visibility' | 'tax-table' | 'session' | 'cash-movement' | 'transaction' | 'refund' | 'attachment' | 'automation-trigger'
  /** Identifies the record. */
  id: string
  /** Display name of the record; its id if it has no name. */
  title: string
  /** What distinguishes it from others of the same title, such as e-mail address, phone and city. Days are in the company’s time zone. May be empty. */
  subtitle: string
  /** How it matches: `exact` (a member, or the words of a name in any order), `prefix` (a member begins with the text), `words` (each word begins a word of the record), `part` (a word is inside another). */
  match: 'exact' | 'prefix' | 'words' | 'part'
  /** The members that match, such as `email`. */
  matchedBy: string[]
}

export interface SearchResults {
  /** The results, the best first. */
  data: SearchHit[]
  /** Whether there are further results. */
  meta: {
    /** Maximum number of results. */
    limit: number
    /** Whether more records match. */
    hasMore: boolean
  }
}

export interface SecondFactor {
  /** Whether a sign-in with the password requires a code. */
  isOn: boolean
  /** When it was turned on; absent while it is off. */
  confirmedAt?: string | undefined
  /** The number of recovery codes that were not used yet; absent while it is off. */
  recoveryCodesLeft?: number | undefined
}

export interface SecondFactorConfirmation {
  /** The six digits that the authenticator app shows. */
  code: string
}

export interface SecondFactorSecret {
  /** The secret in base32, to type into the app. */
  secret: string
  /** The secret as `otpauth://` URI, which apps read from a QR code. */
  uri: string
}

export interface SecondFactorSetup {
  /** The password that the user signs in with. Ignored for an account without one. */
  currentPassword?: string | undefined
}

export interface SecondFactorTurnOff {
  /** The six digits of the authenticator app, or a recovery code. */
  code: string
  /** The password that the user signs in with. Ignored for an account without one. */
  currentPassword?: string | undefined
}

/** A till from opening to counting, with the amounts found in it. A station has at most one open session if the company’s setting `oneOpenSession` is on. */
export interface Session {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The till that is opened. */
  stationId: string
  /** A number for people to read, chosen by the till. */
  sessionNumber?: string | undefined
  /** The account or user of the employee who opened the till. */
  openedBy?: string | undefined
  /** The account or user of the employee who counted and closed the till. */
  closedBy?: string | undefined
  /** When the till was opened, by its own clock, which may be ahead. */
  openTime?: string | undefined
  /** When the till was closed. The session is open until it is set; setting it raises `session.closed`. */
  closeTime?: string | undefined
  /** Opening float: the cash in the drawer when the till is opened. A decimal string in the company’s currency. */
  openingAmount?: string | undefined
  /** The cash counted in the drawer when the till is closed, opening float included. A decimal string in the company’s currency. */
  closingAmount?: string | undefined
  /** The closing report as the till printed it, or its data as JSON. The service only stores it. */
  closingReportData?: string | undefined
  /** Remarks made while the till was open, the oldest first. */
  notes?: string[] | undefined
  /** What was counted for each payment method when the till was closed. `cash` includes the opening float, and takes precedence over `closingAmount`. */
  closingAmounts?: { [name: string]: string } | undefined
  /** A remark by the employee who opened the till. */
  openingNote?: string | undefined
  /** A remark by the employee who closed it. */
  closingNote?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface SessionBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (SessionBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface SessionBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A till from opening to counting, with the amounts found in it. A station has at most one open session if the company’s setting `oneOpenSession` is on. */
  data: Session
}

/** What was counted, and by whom. */
export interface SessionClose {
  /** The counted amount of each payment method, in the company’s currency; `cash` includes the opening amount. The session gets the amounts in this currency as `closingAmounts`, and the cash as `closingAmount`. Methods that you leave out are not compared. */
  counted?: { [name: string]: string } | undefined
  /** The counted amounts in other currencies, by currency and payment method; in the company’s currency, only methods that `counted` does not have. */
  countedIn?: { [name: string]: { [name: string]: string } } | undefined
  /** When the till was counted; by default, the time of the request. Set it if the till was offline. It must not be before the session began or before the last closing of its station. It may be at most 10 minutes ahead of the service’s clock. */
  closeTime?: string | undefined
  /** The account or user of the employee who counted. */
  closedBy?: string | undefined
  /** A remark for the session and the closing. */
  closingNote?: string | undefined
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface SessionCreate {
  /** The till that is opened. */
  stationId: string
  /** A number for people to read, chosen by the till. */
  sessionNumber?: string | null | undefined
  /** The account or user of the employee who opened the till. */
  openedBy?: string | null | undefined
  /** The account or user of the employee who counted and closed the till. */
  closedBy?: string | null | undefined
  /** When the till was opened, by its own clock, which may be ahead. */
  openTime?: string | null | undefined
  /** When the till was closed. The session is open until it is set; setting it raises `session.closed`. */
  closeTime?: string | null | undefined
  /** Opening float: the cash in the drawer when the till is opened. A decimal string in the company’s currency. */
  openingAmount?: string | null | undefined
  /** The cash counted in the drawer when the till is closed, opening float included. A decimal string in the company’s currency. */
  closingAmount?: string | null | undefined
  /** The closing report as the till printed it, or its data as JSON. The service only stores it. */
  closingReportData?: string | null | undefined
  /** Remarks made while the till was open, the oldest first. */
  notes?: string[] | null | undefined
  /** What was counted for each payment method when the till was closed. `cash` includes the opening float, and takes precedence over `closingAmount`. */
  closingAmounts?: { [name: string]: string } | null | undefined
  /** A remark by the employee who opened the till. */
  openingNote?: string | null | undefined
  /** A remark by the employee who closed it. */
  closingNote?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type SessionCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: SessionCreateItem[]
} | SessionCreateItem[]

export type SessionCreateItem = SessionCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface SessionPage {
  /** The records of the page, in the order of the list. */
  data: Session[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The figures of a session so far. */
export interface SessionReport {
  /** The till that the session was opened at. */
  stationId: string
  /** The session that is reported or was closed. */
  sessionId: string
  /** `sessionNumber` of the session at the time. */
  sessionNumber?: string | undefined
  /** When the till was opened. */
  openTime?: string | undefined
  /** When the till was closed. */
  closeTime?: string | undefined
  /** Who opened the till. */
  openedBy?: string | undefined
  /** Who counted and closed the till. */
  closedBy?: string | undefined
  /** A remark by the employee who closed it. */
  closingNote?: string | undefined
  /** The cash that the drawer began with, in the company’s currency: `openingAmount` of the session. If the session was closed before and is open again, its report and its next closing have the amount that the previous closing counted. */
  openingAmount: string
  /** The sums, with an entry for each currency, and separate entries for the late records of each. Entries of different currencies are never added together. */
  figures: ClosingFigures[]
  /** The expected and the counted amount of each payment method, for each currency. */
  balances: ClosingBalance[]
  /** How many late records there are. */
  lateCount: number
  /** The first 1000 late records, by time. */
  lateRecords: LateRecord[]
  /** When the report was made. */
  asOf: string
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface SessionUpdate {
  /** The till that is opened. */
  stationId?: string | undefined
  /** A number for people to read, chosen by the till. */
  sessionNumber?: string | null | undefined
  /** The account or user of the employee who opened the till. */
  openedBy?: string | null | undefined
  /** The account or user of the employee who counted and closed the till. */
  closedBy?: string | null | undefined
  /** When the till was opened, by its own clock, which may be ahead. */
  openTime?: string | null | undefined
  /** When the till was closed. The session is open until it is set; setting it raises `session.closed`. */
  closeTime?: string | null | undefined
  /** Opening float: the cash in the drawer when the till is opened. A decimal string in the company’s currency. */
  openingAmount?: string | null | undefined
  /** The cash counted in the drawer when the till is closed, opening float included. A decimal string in the company’s currency. */
  closingAmount?: string | null | undefined
  /** The closing report as the till printed it, or its data as JSON. The service only stores it. */
  closingReportData?: string | null | undefined
  /** Remarks made while the till was open, the oldest first. */
  notes?: string[] | null | undefined
  /** What was counted for each payment method when the till was closed. `cash` includes the opening float, and takes precedence over `closingAmount`. */
  closingAmounts?: { [name: string]: string } | null | undefined
  /** A remark by the employee who opened the till. */
  openingNote?: string | null | undefined
  /** A remark by the employee who closed it. */
  closingNote?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type SessionUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: SessionUpdateItem[]
} | SessionUpdateItem[]

export type SessionUpdateItem = SessionUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<SessionUpdate[Name], undefined> })

/** The rules of a company’s tills and of its rounding. */
export interface Settings {
  /** Whether a station has at most one open session. On for new companies. It cannot be switched on while a station has several. */
  oneOpenSession: boolean
  /** Where the taxes of a sale are rounded: `line` rounds each line’s tax, `receipt` only the sum of each rate. */
  taxRounding: 'line' | 'receipt'
  /** The unit to which an amount that is paid in cash is rounded, such as the smallest coin: a whole multiple of the smallest unit of the company’s currency. Cash is not rounded without it, nor after the currency changed to one that has no such unit. */
  cashRounding?: string | undefined
}

/** The settings to change; omitted ones keep their values. */
export interface SettingsUpdate {
  /** Whether a station has at most one open session. On for new companies. It cannot be switched on while a station has several. */
  oneOpenSession?: boolean | undefined
  /** Where the taxes of a sale are rounded: `line` rounds each line’s tax, `receipt` only the sum of each rate. */
  taxRounding?: 'line' | 'receipt' | undefined
  /** The unit to which an amount that is paid in cash is rounded, such as the smallest coin: a whole multiple of the smallest unit of the company’s currency. Cash is not rounded without it, nor after the currency changed to one that has no such unit. */
  cashRounding?: string | null | undefined
}

/** Part of an amount. In orders and refunds send `amount` always; `POST /v1/sale` computes it from `percentage`. */
export interface Share {
  /** The amount in the `currency` of the sale. Negative only as a discount on a line that is returned. */
  amount?: string | undefined
  /** The rate from which it was computed, in percent: `10` is 10 %. */
  percentage?: number | undefined
}

export interface SignIn {
  /** Who is signed in. */
  user: User
  /** Send it as `x-csrf-token` with each write of this sign-in. */
  csrfToken: string
  /** Identifies this sign-in in the list of sign-ins. */
  signInId: string
  /** The organizations that the user is a member of. */
  organizations: OwnOrganization[]
  /** The companies that the user is a member of. */
  companies: OwnCompanyAccess[]
}

export interface SignInRules {
  /** Whether people need a second factor here: a passkey, or a code besides the password. An organization requires it in all of its companies; its own people need one in the organization as soon as one of its companies requires it. */
  requiresSecondFactor: boolean
  /** Whether the company’s organization requires it; then it is required whatever the company says. For an organization, the same as `requiresSecondFactor`. */
  isRequiredByOrganization: boolean
}

export interface SignInRulesUpdate {
  /** Whether people need a second factor here: a passkey, or a code besides the password. An organization requires it in all of its companies; its own people need one in the organization as soon as one of its companies requires it. */
  requiresSecondFactor: boolean
  /** Read only: a value that is sent is ignored. */
  isRequiredByOrganization?: boolean | undefined
}

export interface SignIns {
  /** One entry for each browser in which you are signed in. */
  data: OpenSignIn[]
}

export interface SignedIn {
  /** Who is signed in. */
  user: User
  /** Send it as `x-csrf-token` with each write of this sign-in. */
  csrfToken: string
  /** Identifies this sign-in in the list of sign-ins. */
  signInId: string
}

export interface Since {
  /** A date-time. */
  since: string
}

export interface SoldProduct {
  /** The product, as lines of orders name it. */
  productId: string
  /** The name of the product. If it has no record, that of its last line among the last 5,000 orders of the period. */
  name?: string | undefined
  /** The amount of its lines: `total`, or else price times quantity. */
  total: string
  /** The number sold; a line without a quantity counts as one. */
  quantity: number
}

export interface SsoAnswer {
  /** The authorization code in the address to which the provider sent the browser. */
  code: string
  /** The state in that address. */
  state: string
  /** The issuer in that address, if it has one (RFC 9207). */
  iss?: string | undefined
}

export interface SsoBeginning {
  /** The address at the provider. It sends the browser back to `/console/sso`. */
  url: string
}

export interface SsoIdentity {
  /** Contains the encrypted identity; valid for five minutes, and only once. */
  token: string
  /** Whether the identity is linked to an account, which it signs in. */
  isLinked: boolean
  /** The address that the provider gives; it does not identify the person. */
  email?: string | undefined
  /** The name that the provider gives. */
  name?: string | undefined
}

export interface SsoInvitation {
  /** The `token` of the identity. */
  token: string
  /** The part of the invitation’s link after `#token=`. */
  invitation: string
  /** The name of the person. */
  name?: string | undefined
}

export interface SsoSignIn {
  /** The `token` of the identity. */
  token: string
  /** If the account has a second factor: the six digits of the authenticator app, or a recovery code. Each is accepted once. */
  code?: string | undefined
}

export interface SsoStart {
  /** Whether the person must sign in at the provider even if a session is open there, which may be another person’s. Default false. */
  reauthenticate?: boolean | undefined
}

/** A till or kiosk at an outlet. Sessions are opened and closed at it. */
export interface Station {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What staff call the station. */
  name: string
  /** Where the station is. */
  outletId: string
  /** Whether a session is open at it. The till maintains it. Usually AVAILABLE, IN_USE; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status: string
  /** Identifies the tablet or computer that the till runs on. */
  deviceId?: string | undefined
  /** Name of that tablet or computer. */
  deviceName?: string | undefined
  /** The payment terminal, as the payment processor names it. */
  processorTerminalId?: string | undefined
  /** Serial number of the card reader, if it is not part of the terminal. */
  serialReaderId?: string | undefined
  /** Number of the station for people. The caller chooses it. */
  sequenceNumber?: number | undefined
  /** Whether it is a web shop or a program, without a drawer or a device. */
  isVirtual?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface StationBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (StationBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface StationBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** A till or kiosk at an outlet. Sessions are opened and closed at it. */
  data: Station
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface StationCreate {
  /** What staff call the station. */
  name: string
  /** Where the station is. */
  outletId: string
  /** Whether a session is open at it. The till maintains it. Usually AVAILABLE, IN_USE; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status: string
  /** Identifies the tablet or computer that the till runs on. */
  deviceId?: string | null | undefined
  /** Name of that tablet or computer. */
  deviceName?: string | null | undefined
  /** The payment terminal, as the payment processor names it. */
  processorTerminalId?: string | null | undefined
  /** Serial number of the card reader, if it is not part of the terminal. */
  serialReaderId?: string | null | undefined
  /** Number of the station for people. The caller chooses it. */
  sequenceNumber?: number | null | undefined
  /** Whether it is a web shop or a program, without a drawer or a device. */
  isVirtual?: boolean | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type StationCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: StationCreateItem[]
} | StationCreateItem[]

export type StationCreateItem = StationCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface StationPage {
  /** The records of the page, in the order of the list. */
  data: Station[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface StationUpdate {
  /** What staff call the station. */
  name?: string | undefined
  /** Where the station is. */
  outletId?: string | undefined
  /** Whether a session is open at it. The till maintains it. Usually AVAILABLE, IN_USE; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  status?: string | undefined
  /** Identifies the tablet or computer that the till runs on. */
  deviceId?: string | null | undefined
  /** Name of that tablet or computer. */
  deviceName?: string | null | undefined
  /** The payment terminal, as the payment processor names it. */
  processorTerminalId?: string | null | undefined
  /** Serial number of the card reader, if it is not part of the terminal. */
  serialReaderId?: string | null | undefined
  /** Number of the station for people. The caller chooses it. */
  sequenceNumber?: number | null | undefined
  /** Whether it is a web shop or a program, without a drawer or a device. */
  isVirtual?: boolean | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type StationUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: StationUpdateItem[]
} | StationUpdateItem[]

export type StationUpdateItem = StationUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<StationUpdate[Name], undefined> })

/** All outlets together. */
export interface StockValue {
  /** Variants with stock above zero, counted at each outlet. */
  levels: number
  /** Their units on hand. */
  units: number
  /** Units times `costPrice`. Variants without one add nothing. */
  cost: string
  /** Units times the current price: `salePrice` if `isOnSale`, else `price`. Variants without one add nothing. */
  retail: string
}

export interface StockValueReport {
  /** The company’s currency, in which variants have their prices. */
  currency?: string | undefined
  /** All outlets together. */
  totals: StockValue
  /** A sum for each outlet that has stock, the highest cost first. */
  outlets: OutletStockValue[]
}

/** The totals, computed by the till. The service stores them as they are sent; in a refund they are positive amounts that are paid back. */
export interface Summary {
  /** `subTotal` − `discountTotal` + `totalTaxes` (unless `isTaxInclusive`) + `shippingTotal` + fees + tip. A decimal string in the sale’s `currency`. */
  total?: string | undefined
  /** The `subTotal` of all lines and the `total` of all custom sales, before any discount. A decimal string in the sale’s `currency`. */
  subTotal?: string | undefined
  /** All taxes, after all discounts: the sum of `taxes`. A decimal string in the sale’s `currency`. */
  totalTaxes?: string | undefined
  /** All discounts on lines and on the cart, as a positive amount. A decimal string in the sale’s `currency`. */
  discountTotal?: string | undefined
  /** The charge for delivery, without tax unless `isTaxInclusive` is true. A decimal string in the sale’s `currency`. */
  shippingTotal?: string | undefined
  /** Whether prices and line totals contain tax, as usual in Europe; if not, tax is added to them. */
  isTaxInclusive?: boolean | undefined
  /** The taxes of the whole sale, one entry for each rate. */
  taxes?: TaxEntry[] | undefined
  /** The tip, part of `total`. It is neither taxed nor discounted. */
  tip?: Share | undefined
  /** What rounding to the smallest coin adds to `total` if the remainder is paid, or paid back, in cash; negative if it reduces the total. Payments add up to `total` + `cashRounding`. A decimal string in the sale’s `currency`. */
  cashRounding?: string | undefined
}

/** One tax rate, and its amount on a line or in a sale. */
export interface TaxEntry {
  /** Name of the tax on the receipt. */
  name?: string | undefined
  /** The rate in percent: `20` is 20 %. */
  percentage?: number | undefined
  /** The tax that is charged at this rate, after all discounts. A decimal string in the sale’s `currency`. */
  amount?: string | undefined
  /** Identifies the tax in your system or in its tax table. */
  id?: string | undefined
  /** The tax table that the rate comes from: `taxTable` of the product. */
  taxTableId?: string | undefined
  /** Name of that tax table at the time. */
  taxTableName?: string | undefined
  /** Whether it is computed on the price plus the taxes of lower `priority`, not on the price alone. */
  compounding?: boolean | undefined
  /** The order in which several taxes are computed, the lowest first. By default, their position in the list, from 1. */
  priority?: number | undefined
}

/** One tax of a tax table. */
export interface TaxRate {
  /** Identifies the rate in your system. */
  id?: string | undefined
  /** What receipts call the tax. */
  name?: string | undefined
  /** The rate in percent: `20` is 20 %. */
  percentage: number
  /** Whether it is computed on the price plus the taxes of lower `priority`, not on the price alone. */
  compounding?: boolean | undefined
  /** The order in which the taxes are computed, the lowest first. By default, their position here, from 1. */
  priority?: number | undefined
}

/** Tax rates for sale lines without `taxes`. A product names its table in `taxTable`, by id or name. Products that name none get the table that applies to their type and outlet, else the default one. */
export interface TaxTable {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** What staff and receipts call the table. */
  name: string
  /** The taxes that a line gets, at most 20. A table without rates is for products that are not taxed. */
  rates?: TaxRate[] | undefined
  /** Whether prices contain these taxes. It counts for sales that do not send `summary.isTaxInclusive`, if a line gets its taxes from the table. */
  isTaxInclusive?: boolean | undefined
  /** Types of products (`productType`) that the table is for. All types if the list is empty or missing. */
  productTypes?: string[] | undefined
  /** Ids of the outlets that the table is for. All outlets if the list is empty or missing. */
  outletIds?: string[] | undefined
  /** Whether this is the table of products that name none and that no other table is meant for. */
  isDefault?: boolean | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface TaxTableBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (TaxTableBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface TaxTableBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** Tax rates for sale lines without `taxes`. A product names its table in `taxTable`, by id or name. Products that name none get the table that applies to their type and outlet, else the default one. */
  data: TaxTable
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface TaxTableCreate {
  /** What staff and receipts call the table. */
  name: string
  /** The taxes that a line gets, at most 20. A table without rates is for products that are not taxed. */
  rates?: TaxRate[] | null | undefined
  /** Whether prices contain these taxes. It counts for sales that do not send `summary.isTaxInclusive`, if a line gets its taxes from the table. */
  isTaxInclusive?: boolean | null | undefined
  /** Types of products (`productType`) that the table is for. All types if the list is empty or missing. */
  productTypes?: string[] | null | undefined
  /** Ids of the outlets that the table is for. All outlets if the list is empty or missing. */
  outletIds?: string[] | null | undefined
  /** Whether this is the table of products that name none and that no other table is meant for. */
  isDefault?: boolean | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type TaxTableCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: TaxTableCreateItem[]
} | TaxTableCreateItem[]

export type TaxTableCreateItem = TaxTableCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface TaxTablePage {
  /** The records of the page, in the order of the list. */
  data: TaxTable[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface TaxTableUpdate {
  /** What staff and receipts call the table. */
  name?: string | undefined
  /** The taxes that a line gets, at most 20. A table without rates is for products that are not taxed. */
  rates?: TaxRate[] | null | undefined
  /** Whether prices contain these taxes. It counts for sales that do not send `summary.isTaxInclusive`, if a line gets its taxes from the table. */
  isTaxInclusive?: boolean | null | undefined
  /** Types of products (`productType`) that the table is for. All types if the list is empty or missing. */
  productTypes?: string[] | null | undefined
  /** Ids of the outlets that the table is for. All outlets if the list is empty or missing. */
  outletIds?: string[] | null | undefined
  /** Whether this is the table of products that name none and that no other table is meant for. */
  isDefault?: boolean | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type TaxTableUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: TaxTableUpdateItem[]
} | TaxTableUpdateItem[]

export type TaxTableUpdateItem = TaxTableUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<TaxTableUpdate[Name], undefined> })

/** One payment in or out, in cash or through a processor. */
export interface Transaction {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** How it was paid. Reports and sessions group payments by it. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went. */
  amount: string
  /** When the money was taken or paid. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | undefined
  /** ISO 4217 code of the amounts. Without it, the company’s currency. A payment in a currency other than its order’s does not count in the order’s `paid`; reports and closings list it in its own. */
  currency?: string | undefined
  /** Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings. Usually sale, refund, void; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  type?: string | undefined
  /** Remarks for people, such as an authorization code. */
  notes?: string | undefined
  /** The account or user of the cashier. */
  employee?: string | undefined
  /** What the customer still owes on the order after this payment. A decimal string in `currency`. */
  balance?: string | undefined
  /** What rounding to the smallest coin added to a payment in cash of an earlier sale; negative if it reduced it. It is part of the order’s `summary.cashRounding`, and counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  cashRounding?: string | undefined
  /** The tip in this payment that was added to `summary.tip` and `summary.total` of a sale that was made before. It counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  addedTip?: string | undefined
  /** The session of the till that took or paid the money. Without it, the payment is in no session report and no closing. */
  sessionId?: string | undefined
  /** Data of the payment from the payment processor. Any further members are stored. */
  paymentData?: PaymentData | undefined
  /** The order that is paid. */
  orderId?: string | undefined
  /** The refund that is paid out, if `type` is refund. It does not make the transaction a refund: without `type`, the amount counts as money in. */
  refundId?: string | undefined
  /** Where the money was taken or paid. */
  outletId?: string | undefined
  /** The number on the receipt, as in `receiptId` of the order. */
  receiptId?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface TransactionBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (TransactionBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface TransactionBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** One payment in or out, in cash or through a processor. */
  data: Transaction
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface TransactionCreate {
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** How it was paid. Reports and sessions group payments by it. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod: string
  /** The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went. */
  amount: string
  /** When the money was taken or paid. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of the amounts. Without it, the company’s currency. A payment in a currency other than its order’s does not count in the order’s `paid`; reports and closings list it in its own. */
  currency?: string | null | undefined
  /** Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings. Usually sale, refund, void; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  type?: string | null | undefined
  /** Remarks for people, such as an authorization code. */
  notes?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** What the customer still owes on the order after this payment. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** The session of the till that took or paid the money. Without it, the payment is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** Data of the payment from the payment processor. Any further members are stored. */
  paymentData?: PaymentData | null | undefined
  /** The order that is paid. */
  orderId?: string | null | undefined
  /** The refund that is paid out, if `type` is refund. It does not make the transaction a refund: without `type`, the amount counts as money in. */
  refundId?: string | null | undefined
  /** Where the money was taken or paid. */
  outletId?: string | null | undefined
  /** The number on the receipt, as in `receiptId` of the order. */
  receiptId?: string | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** What rounding to the smallest coin added to a payment in cash of an earlier sale; negative if it reduced it. It is part of the order’s `summary.cashRounding`, and counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  cashRounding?: string | undefined
  /** The tip in this payment that was added to `summary.tip` and `summary.total` of a sale that was made before. It counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  addedTip?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type TransactionCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (TransactionCreateItem | TransactionUpsertItem)[]
} | (TransactionCreateItem | TransactionUpsertItem)[]

export interface TransactionCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: TransactionCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (TransactionCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface TransactionCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** One payment in or out, in cash or through a processor. */
  data: Transaction
}

/** How many items succeeded and failed. */
export interface TransactionCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type TransactionCreateItem = TransactionCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

/** A page of records, and where it is in the list. */
export interface TransactionPage {
  /** The records of the page, in the order of the list. */
  data: Transaction[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface TransactionUpdate {
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** How it was paid. Reports and sessions group payments by it. Usually cash, credit_card, gift_card, store_credit; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  paymentMethod?: string | undefined
  /** The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went. */
  amount?: string | undefined
  /** When the money was taken or paid. Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, `createdAt` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock. */
  occurredAt?: string | null | undefined
  /** ISO 4217 code of the amounts. Without it, the company’s currency. A payment in a currency other than its order’s does not count in the order’s `paid`; reports and closings list it in its own. */
  currency?: string | null | undefined
  /** Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings. Usually sale, refund, void; any other value is accepted. A usual value is accepted in any case and with spaces around it, and stored as written here. */
  type?: string | null | undefined
  /** Remarks for people, such as an authorization code. */
  notes?: string | null | undefined
  /** The account or user of the cashier. */
  employee?: string | null | undefined
  /** What the customer still owes on the order after this payment. A decimal string in `currency`. */
  balance?: string | null | undefined
  /** The session of the till that took or paid the money. Without it, the payment is in no session report and no closing. */
  sessionId?: string | null | undefined
  /** Data of the payment from the payment processor. Any further members are stored. */
  paymentData?: PaymentData | null | undefined
  /** The order that is paid. */
  orderId?: string | null | undefined
  /** The refund that is paid out, if `type` is refund. It does not make the transaction a refund: without `type`, the amount counts as money in. */
  refundId?: string | null | undefined
  /** Where the money was taken or paid. */
  outletId?: string | null | undefined
  /** The number on the receipt, as in `receiptId` of the order. */
  receiptId?: string | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** What rounding to the smallest coin added to a payment in cash of an earlier sale; negative if it reduced it. It is part of the order’s `summary.cashRounding`, and counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  cashRounding?: string | undefined
  /** The tip in this payment that was added to `summary.tip` and `summary.total` of a sale that was made before. It counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`. */
  addedTip?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type TransactionUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: TransactionUpdateItem[]
} | TransactionUpdateItem[]

export type TransactionUpdateItem = TransactionUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<TransactionUpdate[Name], undefined> })

export type TransactionUpsertItem = TransactionUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'externalId']: Exclude<TransactionUpdate[Name], undefined> })

/** Records of one kind, by what the undo does with them. */
export interface UndoCounts {
  /** How many records that the import created are deleted again. */
  deleted: number
  /** How many records get their earlier values back. */
  restored: number
  /** How many records stay, in whole or in part, since they changed after the import. */
  left: number
}

/** What happens to stock. */
export interface UndoStock {
  /** How many levels get their earlier stock back. */
  restored: number
  /** How many levels stay, since stock moved after the import. */
  left: number
}

/** A person who can sign in. */
export interface User {
  /** Identifies the user, in all companies. */
  id: string
  /** The address that the user signs in with. */
  email: string
  /** What other people see; absent if the user has set none. */
  name?: string | undefined
  /** Whether the account has a password; without one it signs in with a passkey or at the OpenID provider. */
  hasPassword: boolean
}

export interface UserChange {
  /** The name of the person. */
  name?: string | null | undefined
  /** The address the person signs in with. */
  email?: string | undefined
  /** The new password: 10 to 200 characters. */
  password?: string | undefined
  /** Required for a new e-mail address or password, unless the account has no password. */
  currentPassword?: string | undefined
}

/** One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet. */
export interface Variant {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The product that this is a version of. */
  productId: string
  /** Whether its stock is counted, with a history. */
  manageStock?: boolean | undefined
  /** Stock keeping unit: your own code of the variant. */
  sku?: string | undefined
  /** Whether the current price is `salePrice` instead of `price`. */
  isOnSale?: boolean | undefined
  /** What a scanner reads, such as an EAN or UPC. */
  barcode?: string | undefined
  /** Regular price of one unit in the company’s currency, with or without tax as your shop displays prices. */
  price?: number | undefined
  /** Reduced price of one unit, current while `isOnSale` is true. With or without tax, like `price`. */
  salePrice?: number | undefined
  /** What one unit costs you, without tax. */
  costPrice?: number | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | undefined
  /** Whether stock may go below zero. */
  allowBackorder?: boolean | undefined
  /** URLs of pictures of this variant, the main one first. */
  images?: string[] | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | undefined
  /** What distinguishes this variant from the others of its product. */
  attributes?: VariantAttribute[] | undefined
  /** Stock by outlet. Sent entries set the stock of their outlets; other outlets keep theirs. */
  inventory: VariantLevel[]
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
  /** The `ETag` of this version of the record, to be sent as `If-Match` or as `ifMatch` of an item. Only in lists and bulk results with `etags=true`. */
  etag?: string | undefined
}

export interface VariantAttribute {
  /** The name of an attribute of the product. */
  name?: string | undefined
  /** Which of its values this variant has. */
  value?: string | undefined
}

export interface VariantBulkResult {
  /** How many items succeeded and failed. */
  summary: BulkSummary
  /** One result for each item, in the order of the request. */
  results: (VariantBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface VariantBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet. */
  data: Variant
}

/** The members of a new record. Members that the service sets are ignored; any other unknown member is refused. */
export interface VariantCreate {
  /** The product that this is a version of. */
  productId: string
  /** Whether its stock is counted, with a history. */
  manageStock?: boolean | null | undefined
  /** Stock keeping unit: your own code of the variant. */
  sku?: string | null | undefined
  /** Whether the current price is `salePrice` instead of `price`. */
  isOnSale?: boolean | null | undefined
  /** What a scanner reads, such as an EAN or UPC. */
  barcode?: string | null | undefined
  /** Regular price of one unit in the company’s currency, with or without tax as your shop displays prices. */
  price?: number | null | undefined
  /** Reduced price of one unit, current while `isOnSale` is true. With or without tax, like `price`. */
  salePrice?: number | null | undefined
  /** What one unit costs you, without tax. */
  costPrice?: number | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** Whether stock may go below zero. */
  allowBackorder?: boolean | null | undefined
  /** URLs of pictures of this variant, the main one first. */
  images?: string[] | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** What distinguishes this variant from the others of its product. */
  attributes?: VariantAttribute[] | null | undefined
  /** Stock by outlet. Sent entries set the stock of their outlets; other outlets keep theirs. */
  inventory?: VariantLevel[] | null | undefined
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type VariantCreateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: (VariantCreateItem | VariantUpsertItem)[]
} | (VariantCreateItem | VariantUpsertItem)[]

export interface VariantCreateBulkResult {
  /** How many items succeeded and failed. */
  summary: VariantCreateBulkSummary
  /** One result for each item, in the order of the request. */
  results: (VariantCreateBulkSuccess | BulkError)[]
}

/** The item was carried out. */
export interface VariantCreateBulkSuccess {
  /** The item’s position in the request, counted from 0. */
  index: number
  /** The value from the request. */
  clientRef?: string | undefined
  /** The item was carried out. */
  status: 'success'
  /** With `mode=upsert`: what became of the record. */
  outcome?: 'created' | 'updated' | 'unchanged' | undefined
  /** One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet. */
  data: Variant
}

/** How many items succeeded and failed. */
export interface VariantCreateBulkSummary {
  /** How many items the request had. */
  total: number
  /** How many items were carried out. */
  succeeded: number
  /** How many items have an error; nothing of them was written. */
  failed: number
  /** With `mode=upsert`: how many items have the outcome `created`. */
  created?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `updated`. */
  updated?: number | undefined
  /** With `mode=upsert`: how many items have the outcome `unchanged`. */
  unchanged?: number | undefined
}

export type VariantCreateItem = VariantCreate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
})

export interface VariantLevel {
  /** Where the stock is. */
  outletId: string
  /** Units on hand there, with at most six decimals. */
  stock: number
}

/** A page of records, and where it is in the list. */
export interface VariantPage {
  /** The records of the page, in the order of the list. */
  data: Variant[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}

/** The members to change. `null` clears an optional member; omitted members keep their values. Members that the service sets are ignored; any other unknown member is refused. */
export interface VariantUpdate {
  /** The product that this is a version of. */
  productId?: string | undefined
  /** Whether its stock is counted, with a history. */
  manageStock?: boolean | null | undefined
  /** Stock keeping unit: your own code of the variant. */
  sku?: string | null | undefined
  /** Whether the current price is `salePrice` instead of `price`. */
  isOnSale?: boolean | null | undefined
  /** What a scanner reads, such as an EAN or UPC. */
  barcode?: string | null | undefined
  /** Regular price of one unit in the company’s currency, with or without tax as your shop displays prices. */
  price?: number | null | undefined
  /** Reduced price of one unit, current while `isOnSale` is true. With or without tax, like `price`. */
  salePrice?: number | null | undefined
  /** What one unit costs you, without tax. */
  costPrice?: number | null | undefined
  /** Id of the record in another system, such as your shop software. */
  externalId?: string | null | undefined
  /** Whether stock may go below zero. */
  allowBackorder?: boolean | null | undefined
  /** URLs of pictures of this variant, the main one first. */
  images?: string[] | null | undefined
  /** Your own data about the record, as pairs of a key and a value. The service only stores them. */
  metadata?: MetadataEntry[] | null | undefined
  /** What distinguishes this variant from the others of its product. */
  attributes?: VariantAttribute[] | null | undefined
  /** Stock by outlet. Sent entries set the stock of their outlets; other outlets keep theirs. */
  inventory?: VariantLevel[] | null | undefined
  /** Identifies the record in a bulk update; ignored in a single update. */
  id?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt?: string | undefined
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt?: string | undefined
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId?: string | undefined
}

/** The items in an object, or as a bare array. */
export type VariantUpdateBulk = {
  /** The items, each carried out on its own: a wrong one does not affect the others. */
  items: VariantUpdateItem[]
} | VariantUpdateItem[]

export type VariantUpdateItem = VariantUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'id']: Exclude<VariantUpdate[Name], undefined> })

export type VariantUpsertItem = VariantUpdate & ({
  /** Any text you choose; it is returned with the item’s result. */
  clientRef?: string | undefined
  /** The `ETag` of the version that the item applies to. If the record has changed since, only this item fails. */
  ifMatch?: string | undefined
}) & ({ [Name in 'externalId']: Exclude<VariantUpdate[Name], undefined> })

export interface WebhookAttempt {
  /** When it began. */
  at: string
  /** The status of the response; absent if there was none. */
  status?: number | undefined
  /** Explains the error in a sentence. */
  error?: string | undefined
  /** Milliseconds until the response was read, or the call was given up. */
  durationMs: number
  /** The first 4 KB of the response. */
  answer?: string | undefined
}

/** The delivery of an event to an automation trigger: its state, and each attempt with its time, status, duration and the beginning of the response. Deliveries are kept for 30 days. */
export interface WebhookDelivery {
  /** Identifies the record. The service chooses it on create; ids sort by time of creation. */
  id: string
  /** The automation trigger whose URL is called. */
  triggerId: string
  /** The event; the receiver sees it as `id`. */
  eventId: string
  /** What happened, as in `type` of the event. */
  eventType: string
  /** The position of the event in the feed; absent for a test event, which is not in the feed. */
  sequence?: number | undefined
  /** Pending until it succeeds, or until no further attempt is made. */
  state: 'pending' | 'succeeded' | 'failed'
  /** The last 20, oldest first. */
  attempts: WebhookAttempt[]
  /** When it is tried next, while it is pending. */
  nextAttemptAt?: string | undefined
  /** When the record was created, in UTC. The service sets it. */
  createdAt: string
  /** When the record last changed, in UTC. The service sets it; an update without a change keeps it. */
  updatedAt: string
  /** The company that owns the record, taken from the key or the sign-in of the request. */
  companyId: string
}

/** A page of records, and where it is in the list. */
export interface WebhookDeliveryPage {
  /** The records of the page, in the order of the list. */
  data: WebhookDelivery[]
  /** Which page it is, and how many records match. */
  meta: PageMeta
}
