// Written by `npm run sdk` from openapi.sdk.json.
import type { CustomCall, CustomEvent, RecordCall, RecordEvent, TestCall } from '../event-shapes.ts'
import type * as T from './types.ts'

export type OutletCreatedEvent = RecordEvent<'outlet.created', 'outlet', T.Outlet>
export type OutletCreatedCall = RecordCall<'outlet.created', 'outlet', T.Outlet>
export type OutletUpdatedEvent = RecordEvent<'outlet.updated', 'outlet', T.Outlet>
export type OutletUpdatedCall = RecordCall<'outlet.updated', 'outlet', T.Outlet>
export type OutletDeletedEvent = RecordEvent<'outlet.deleted', 'outlet', T.Outlet>
export type OutletDeletedCall = RecordCall<'outlet.deleted', 'outlet', T.Outlet>
export type StationCreatedEvent = RecordEvent<'station.created', 'station', T.Station>
export type StationCreatedCall = RecordCall<'station.created', 'station', T.Station>
export type StationUpdatedEvent = RecordEvent<'station.updated', 'station', T.Station>
export type StationUpdatedCall = RecordCall<'station.updated', 'station', T.Station>
export type StationDeletedEvent = RecordEvent<'station.deleted', 'station', T.Station>
export type StationDeletedCall = RecordCall<'station.deleted', 'station', T.Station>
export type AccountCreatedEvent = RecordEvent<'account.created', 'account', T.Account>
export type AccountCreatedCall = RecordCall<'account.created', 'account', T.Account>
export type AccountUpdatedEvent = RecordEvent<'account.updated', 'account', T.Account>
export type AccountUpdatedCall = RecordCall<'account.updated', 'account', T.Account>
export type AccountDeletedEvent = RecordEvent<'account.deleted', 'account', T.Account>
export type AccountDeletedCall = RecordCall<'account.deleted', 'account', T.Account>
export type RoleCreatedEvent = RecordEvent<'role.created', 'role', T.Role>
export type RoleCreatedCall = RecordCall<'role.created', 'role', T.Role>
export type RoleUpdatedEvent = RecordEvent<'role.updated', 'role', T.Role>
export type RoleUpdatedCall = RecordCall<'role.updated', 'role', T.Role>
export type RoleDeletedEvent = RecordEvent<'role.deleted', 'role', T.Role>
export type RoleDeletedCall = RecordCall<'role.deleted', 'role', T.Role>
export type CategoryCreatedEvent = RecordEvent<'category.created', 'category', T.Category>
export type CategoryCreatedCall = RecordCall<'category.created', 'category', T.Category>
export type CategoryUpdatedEvent = RecordEvent<'category.updated', 'category', T.Category>
export type CategoryUpdatedCall = RecordCall<'category.updated', 'category', T.Category>
export type CategoryDeletedEvent = RecordEvent<'category.deleted', 'category', T.Category>
export type CategoryDeletedCall = RecordCall<'category.deleted', 'category', T.Category>
export type ProductCreatedEvent = RecordEvent<'product.created', 'product', T.Product>
export type ProductCreatedCall = RecordCall<'product.created', 'product', T.Product>
export type ProductUpdatedEvent = RecordEvent<'product.updated', 'product', T.Product>
export type ProductUpdatedCall = RecordCall<'product.updated', 'product', T.Product>
export type ProductDeletedEvent = RecordEvent<'product.deleted', 'product', T.Product>
export type ProductDeletedCall = RecordCall<'product.deleted', 'product', T.Product>
export type VariantCreatedEvent = RecordEvent<'variant.created', 'variant', T.Variant>
export type VariantCreatedCall = RecordCall<'variant.created', 'variant', T.Variant>
export type VariantUpdatedEvent = RecordEvent<'variant.updated', 'variant', T.Variant>
export type VariantUpdatedCall = RecordCall<'variant.updated', 'variant', T.Variant>
export type VariantDeletedEvent = RecordEvent<'variant.deleted', 'variant', T.Variant>
export type VariantDeletedCall = RecordCall<'variant.deleted', 'variant', T.Variant>
export type InventoryCreatedEvent = RecordEvent<'inventory.created', 'inventory', T.Inventory>
export type InventoryCreatedCall = RecordCall<'inventory.created', 'inventory', T.Inventory>
export type InventoryUpdatedEvent = RecordEvent<'inventory.updated', 'inventory', T.Inventory>
export type InventoryUpdatedCall = RecordCall<'inventory.updated', 'inventory', T.Inventory>
export type InventoryDeletedEvent = RecordEvent<'inventory.deleted', 'inventory', T.Inventory>
export type InventoryDeletedCall = RecordCall<'inventory.deleted', 'inventory', T.Inventory>
export type InventoryStockChangedEvent = RecordEvent<'inventory.stock_changed', 'inventory', T.Inventory>
export type InventoryStockChangedCall = RecordCall<'inventory.stock_changed', 'inventory', T.Inventory>
export type CatalogVisibilityCreatedEvent = RecordEvent<'catalog-visibility.created', 'catalog-visibility', T.CatalogVisibility>
export type CatalogVisibilityCreatedCall = RecordCall<'catalog-visibility.created', 'catalogVisibility', T.CatalogVisibility>
export type CatalogVisibilityUpdatedEvent = RecordEvent<'catalog-visibility.updated', 'catalog-visibility', T.CatalogVisibility>
export type CatalogVisibilityUpdatedCall = RecordCall<'catalog-visibility.updated', 'catalogVisibility', T.CatalogVisibility>
export type CatalogVisibilityDeletedEvent = RecordEvent<'catalog-visibility.deleted', 'catalog-visibility', T.CatalogVisibility>
export type CatalogVisibilityDeletedCall = RecordCall<'catalog-visibility.deleted', 'catalogVisibility', T.CatalogVisibility>
export type TaxTableCreatedEvent = RecordEvent<'tax-table.created', 'tax-table', T.TaxTable>
export type TaxTableCreatedCall = RecordCall<'tax-table.created', 'taxTable', T.TaxTable>
export type TaxTableUpdatedEvent = RecordEvent<'tax-table.updated', 'tax-table', T.TaxTable>
export type TaxTableUpdatedCall = RecordCall<'tax-table.updated', 'taxTable', T.TaxTable>
export type TaxTableDeletedEvent = RecordEvent<'tax-table.deleted', 'tax-table', T.TaxTable>
export type TaxTableDeletedCall = RecordCall<'tax-table.deleted', 'taxTable', T.TaxTable>
export type CustomerCreatedEvent = RecordEvent<'customer.created', 'customer', T.Customer>
export type CustomerCreatedCall = RecordCall<'customer.created', 'customer', T.Customer>
export type CustomerUpdatedEvent = RecordEvent<'customer.updated', 'customer', T.Customer>
export type CustomerUpdatedCall = RecordCall<'customer.updated', 'customer', T.Customer>
export type CustomerDeletedEvent = RecordEvent<'customer.deleted', 'customer', T.Customer>
export type CustomerDeletedCall = RecordCall<'customer.deleted', 'customer', T.Customer>
export type SessionCreatedEvent = RecordEvent<'session.created', 'session', T.Session>
export type SessionCreatedCall = RecordCall<'session.created', 'session', T.Session>
export type SessionUpdatedEvent = RecordEvent<'session.updated', 'session', T.Session>
export type SessionUpdatedCall = RecordCall<'session.updated', 'session', T.Session>
export type SessionDeletedEvent = RecordEvent<'session.deleted', 'session', T.Session>
export type SessionDeletedCall = RecordCall<'session.deleted', 'session', T.Session>
export type SessionOpenedEvent = RecordEvent<'session.opened', 'session', T.Session>
export type SessionOpenedCall = RecordCall<'session.opened', 'session', T.Session>
export type SessionClosedEvent = RecordEvent<'session.closed', 'session', T.Session>
export type SessionClosedCall = RecordCall<'session.closed', 'session', T.Session>
export type CashMovementCreatedEvent = RecordEvent<'cash-movement.created', 'cash-movement', T.CashMovement>
export type CashMovementCreatedCall = RecordCall<'cash-movement.created', 'cashMovement', T.CashMovement>
export type CashMovementUpdatedEvent = RecordEvent<'cash-movement.updated', 'cash-movement', T.CashMovement>
export type CashMovementUpdatedCall = RecordCall<'cash-movement.updated', 'cashMovement', T.CashMovement>
export type CashMovementDeletedEvent = RecordEvent<'cash-movement.deleted', 'cash-movement', T.CashMovement>
export type CashMovementDeletedCall = RecordCall<'cash-movement.deleted', 'cashMovement', T.CashMovement>
export type OrderCreatedEvent = RecordEvent<'order.created', 'order', T.Order>
export type OrderCreatedCall = RecordCall<'order.created', 'order', T.Order>
export type OrderUpdatedEvent = RecordEvent<'order.updated', 'order', T.Order>
export type OrderUpdatedCall = RecordCall<'order.updated', 'order', T.Order>
export type OrderDeletedEvent = RecordEvent<'order.deleted', 'order', T.Order>
export type OrderDeletedCall = RecordCall<'order.deleted', 'order', T.Order>
export type OrderCompletedEvent = RecordEvent<'order.completed', 'order', T.Order>
export type OrderCompletedCall = RecordCall<'order.completed', 'order', T.Order>
export type OrderRefundedEvent = RecordEvent<'order.refunded', 'order', T.Order>
export type OrderRefundedCall = RecordCall<'order.refunded', 'order', T.Order>
export type TransactionCreatedEvent = RecordEvent<'transaction.created', 'transaction', T.Transaction>
export type TransactionCreatedCall = RecordCall<'transaction.created', 'transaction', T.Transaction>
export type TransactionUpdatedEvent = RecordEvent<'transaction.updated', 'transaction', T.Transaction>
export type TransactionUpdatedCall = RecordCall<'transaction.updated', 'transaction', T.Transaction>
export type TransactionDeletedEvent = RecordEvent<'transaction.deleted', 'transaction', T.Transaction>
export type TransactionDeletedCall = RecordCall<'transaction.deleted', 'transaction', T.Transaction>
export type RefundCreatedEvent = RecordEvent<'refund.created', 'refund', T.Refund>
export type RefundCreatedCall = RecordCall<'refund.created', 'refund', T.Refund>
export type RefundUpdatedEvent = RecordEvent<'refund.updated', 'refund', T.Refund>
export type RefundUpdatedCall = RecordCall<'refund.updated', 'refund', T.Refund>
export type RefundDeletedEvent = RecordEvent<'refund.deleted', 'refund', T.Refund>
export type RefundDeletedCall = RecordCall<'refund.deleted', 'refund', T.Refund>
export type AttachmentCreatedEvent = RecordEvent<'attachment.created', 'attachment', T.Attachment>
export type AttachmentCreatedCall = RecordCall<'attachment.created', 'attachment', T.Attachment>
export type AttachmentUpdatedEvent = RecordEvent<'attachment.updated', 'attachment', T.Attachment>
export type AttachmentUpdatedCall = RecordCall<'attachment.updated', 'attachment', T.Attachment>
export type AttachmentDeletedEvent = RecordEvent<'attachment.deleted', 'attachment', T.Attachment>
export type AttachmentDeletedCall = RecordCall<'attachment.deleted', 'attachment', T.Attachment>
export type AutomationTriggerCreatedEvent = RecordEvent<'automation-trigger.created', 'automation-trigger', T.AutomationTrigger>
export type AutomationTriggerCreatedCall = RecordCall<'automation-trigger.created', 'automationTrigger', T.AutomationTrigger>
export type AutomationTriggerUpdatedEvent = RecordEvent<'automation-trigger.updated', 'automation-trigger', T.AutomationTrigger>
export type AutomationTriggerUpdatedCall = RecordCall<'automation-trigger.updated', 'automationTrigger', T.AutomationTrigger>
export type AutomationTriggerDeletedEvent = RecordEvent<'automation-trigger.deleted', 'automation-trigger', T.AutomationTrigger>
export type AutomationTriggerDeletedCall = RecordCall<'automation-trigger.deleted', 'automationTrigger', T.AutomationTrigger>
export type CustomTableCreatedEvent = RecordEvent<'custom-table.created', 'custom-table', T.CustomTable>
export type CustomTableCreatedCall = RecordCall<'custom-table.created', 'customTable', T.CustomTable>
export type CustomTableUpdatedEvent = RecordEvent<'custom-table.updated', 'custom-table', T.CustomTable>
export type CustomTableUpdatedCall = RecordCall<'custom-table.updated', 'customTable', T.CustomTable>
export type CustomTableDeletedEvent = RecordEvent<'custom-table.deleted', 'custom-table', T.CustomTable>
export type CustomTableDeletedCall = RecordCall<'custom-table.deleted', 'customTable', T.CustomTable>
export type CustomTableFieldCreatedEvent = RecordEvent<'custom-table-field.created', 'custom-table-field', T.CustomTableField>
export type CustomTableFieldCreatedCall = RecordCall<'custom-table-field.created', 'customTableField', T.CustomTableField>
export type CustomTableFieldUpdatedEvent = RecordEvent<'custom-table-field.updated', 'custom-table-field', T.CustomTableField>
export type CustomTableFieldUpdatedCall = RecordCall<'custom-table-field.updated', 'customTableField', T.CustomTableField>
export type CustomTableFieldDeletedEvent = RecordEvent<'custom-table-field.deleted', 'custom-table-field', T.CustomTableField>
export type CustomTableFieldDeletedCall = RecordCall<'custom-table-field.deleted', 'customTableField', T.CustomTableField>
export type CustomTableRowCreatedEvent = RecordEvent<'custom-table-row.created', 'custom-table-row', T.CustomTableRow>
export type CustomTableRowCreatedCall = RecordCall<'custom-table-row.created', 'customTableRow', T.CustomTableRow>
export type CustomTableRowUpdatedEvent = RecordEvent<'custom-table-row.updated', 'custom-table-row', T.CustomTableRow>
export type CustomTableRowUpdatedCall = RecordCall<'custom-table-row.updated', 'customTableRow', T.CustomTableRow>
export type CustomTableRowDeletedEvent = RecordEvent<'custom-table-row.deleted', 'custom-table-row', T.CustomTableRow>
export type CustomTableRowDeletedCall = RecordCall<'custom-table-row.deleted', 'customTableRow', T.CustomTableRow>
export type CustomTableValueCreatedEvent = RecordEvent<'custom-table-value.created', 'custom-table-value', T.CustomTableValue>
export type CustomTableValueCreatedCall = RecordCall<'custom-table-value.created', 'customTableValue', T.CustomTableValue>
export type CustomTableValueUpdatedEvent = RecordEvent<'custom-table-value.updated', 'custom-table-value', T.CustomTableValue>
export type CustomTableValueUpdatedCall = RecordCall<'custom-table-value.updated', 'customTableValue', T.CustomTableValue>
export type CustomTableValueDeletedEvent = RecordEvent<'custom-table-value.deleted', 'custom-table-value', T.CustomTableValue>
export type CustomTableValueDeletedCall = RecordCall<'custom-table-value.deleted', 'customTableValue', T.CustomTableValue>

/** An event, by its `type`. */
export type Event =
  | OutletCreatedEvent
  | OutletUpdatedEvent
  | OutletDeletedEvent
  | StationCreatedEvent
  | StationUpdatedEvent
  | StationDeletedEvent
  | AccountCreatedEvent
  | AccountUpdatedEvent
  | AccountDeletedEvent
  | RoleCreatedEvent
  | RoleUpdatedEvent
  | RoleDeletedEvent
  | CategoryCreatedEvent
  | CategoryUpdatedEvent
  | CategoryDeletedEvent
  | ProductCreatedEvent
  | ProductUpdatedEvent
  | ProductDeletedEvent
  | VariantCreatedEvent
  | VariantUpdatedEvent
  | VariantDeletedEvent
  | InventoryCreatedEvent
  | InventoryUpdatedEvent
  | InventoryDeletedEvent
  | InventoryStockChangedEvent
  | CatalogVisibilityCreatedEvent
  | CatalogVisibilityUpdatedEvent
  | CatalogVisibilityDeletedEvent
  | TaxTableCreatedEvent
  | TaxTableUpdatedEvent
  | TaxTableDeletedEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerDeletedEvent
  | SessionCreatedEvent
  | SessionUpdatedEvent
  | SessionDeletedEvent
  | SessionOpenedEvent
  | SessionClosedEvent
  | CashMovementCreatedEvent
  | CashMovementUpdatedEvent
  | CashMovementDeletedEvent
  | OrderCreatedEvent
  | OrderUpdatedEvent
  | OrderDeletedEvent
  | OrderCompletedEvent
  | OrderRefundedEvent
  | TransactionCreatedEvent
  | TransactionUpdatedEvent
  | TransactionDeletedEvent
  | RefundCreatedEvent
  | RefundUpdatedEvent
  | RefundDeletedEvent
  | AttachmentCreatedEvent
  | AttachmentUpdatedEvent
  | AttachmentDeletedEvent
  | AutomationTriggerCreatedEvent
  | AutomationTriggerUpdatedEvent
  | AutomationTriggerDeletedEvent
  | CustomTableCreatedEvent
  | CustomTableUpdatedEvent
  | CustomTableDeletedEvent
  | CustomTableFieldCreatedEvent
  | CustomTableFieldUpdatedEvent
  | CustomTableFieldDeletedEvent
  | CustomTableRowCreatedEvent
  | CustomTableRowUpdatedEvent
  | CustomTableRowDeletedEvent
  | CustomTableValueCreatedEvent
  | CustomTableValueUpdatedEvent
  | CustomTableValueDeletedEvent
  | CustomEvent

/** A call of a webhook, by its `eventType`. */
export type WebhookCall =
  | OutletCreatedCall
  | OutletUpdatedCall
  | OutletDeletedCall
  | StationCreatedCall
  | StationUpdatedCall
  | StationDeletedCall
  | AccountCreatedCall
  | AccountUpdatedCall
  | AccountDeletedCall
  | RoleCreatedCall
  | RoleUpdatedCall
  | RoleDeletedCall
  | CategoryCreatedCall
  | CategoryUpdatedCall
  | CategoryDeletedCall
  | ProductCreatedCall
  | ProductUpdatedCall
  | ProductDeletedCall
  | VariantCreatedCall
  | VariantUpdatedCall
  | VariantDeletedCall
  | InventoryCreatedCall
  | InventoryUpdatedCall
  | InventoryDeletedCall
  | InventoryStockChangedCall
  | CatalogVisibilityCreatedCall
  | CatalogVisibilityUpdatedCall
  | CatalogVisibilityDeletedCall
  | TaxTableCreatedCall
  | TaxTableUpdatedCall
  | TaxTableDeletedCall
  | CustomerCreatedCall
  | CustomerUpdatedCall
  | CustomerDeletedCall
  | SessionCreatedCall
  | SessionUpdatedCall
  | SessionDeletedCall
  | SessionOpenedCall
  | SessionClosedCall
  | CashMovementCreatedCall
  | CashMovementUpdatedCall
  | CashMovementDeletedCall
  | OrderCreatedCall
  | OrderUpdatedCall
  | OrderDeletedCall
  | OrderCompletedCall
  | OrderRefundedCall
  | TransactionCreatedCall
  | TransactionUpdatedCall
  | TransactionDeletedCall
  | RefundCreatedCall
  | RefundUpdatedCall
  | RefundDeletedCall
  | AttachmentCreatedCall
  | AttachmentUpdatedCall
  | AttachmentDeletedCall
  | AutomationTriggerCreatedCall
  | AutomationTriggerUpdatedCall
  | AutomationTriggerDeletedCall
  | CustomTableCreatedCall
  | CustomTableUpdatedCall
  | CustomTableDeletedCall
  | CustomTableFieldCreatedCall
  | CustomTableFieldUpdatedCall
  | CustomTableFieldDeletedCall
  | CustomTableRowCreatedCall
  | CustomTableRowUpdatedCall
  | CustomTableRowDeletedCall
  | CustomTableValueCreatedCall
  | CustomTableValueUpdatedCall
  | CustomTableValueDeletedCall
  | TestCall
  | CustomCall
