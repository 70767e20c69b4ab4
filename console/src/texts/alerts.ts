// Texts of alerts: in the bell, and on the user's own page.
import { translated } from '../language.ts'

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const text = translated('alerts', {
  title: 'Alerts',
  bell: (unread: number) => (unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`),
  markAll: 'Mark all as read',
  choose: 'Choose which alerts you get',
  none: 'No alerts',
  noneHint: 'Failing webhooks, finished imports, low stock and cash differences appear here.',
  unread: 'Unread',
  recovered: 'Recovered',
  webhookFailing: (name: string) => `Webhook ${name} is failing`,
  webhookOff: (name: string) => `Webhook ${name} was switched off`,
  webhookHint: 'All calls have failed for at least ten minutes. They are being retried.',
  importDone: (file: string) => `Import of ${file} is done`,
  importFailed: (file: string) => `Import of ${file} failed`,
  refused: (count: number) => `${counted(count, 'row was', 'rows were')} refused`,
  imported: 'All rows were imported',
  stock: (count: number) => `Stock is low: ${counted(count, 'variant', 'variants')}`,
  level: (name: string, stock: string) => `${name}: ${stock} left`,
  more: (count: number) => `and ${count} more`,
  session: 'Session closed with a difference',
  settingsHint: 'For all your companies.',
  noMail: 'This service sends no e-mail, so alerts appear in the bell only.',
  kind: 'Alert',
  inBell: 'Bell',
  byMail: 'E-mail',
  kinds: {
    webhook: { name: 'Webhook failing', hint: 'A receiver fails for ten minutes, or is switched off' },
    import: { name: 'Import finished', hint: 'An import is done or has failed' },
    stock: { name: 'Low stock', hint: 'Fewer than five units of a variant are left' },
    session: { name: 'Cash difference', hint: 'A session is closed with more or less than expected' },
  },
  switchOf: (kind: string, way: string) => `${kind}: ${way}`,
})
