// Hinweise: in der Glocke, und auf der Seite der eigenen Person.
import type { Translation } from '../../language.ts'
import type { text } from '../alerts.ts'

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const alerts: Translation<typeof text> = {
  title: 'Hinweise',
  bell: (unread) => (unread === 0 ? 'Hinweise' : `Hinweise, ${unread} ungelesen`),
  markAll: 'Alle als gelesen markieren',
  choose: 'Hinweise auswählen',
  none: 'Keine Hinweise',
  noneHint: 'Fehlgeschlagene Webhooks, beendete Importe, niedriger Bestand und Kassendifferenzen erscheinen hier.',
  unread: 'Ungelesen',
  recovered: 'Behoben',
  webhookFailing: (name) => `Webhook ${name} schlägt fehl`,
  webhookOff: (name) => `Webhook ${name} wurde ausgeschaltet`,
  webhookHint: 'Alle Aufrufe schlagen seit mindestens zehn Minuten fehl. Sie werden wiederholt.',
  importDone: (file) => `Import von ${file} ist fertig`,
  importFailed: (file) => `Import von ${file} ist fehlgeschlagen`,
  refused: (count) => `${counted(count, 'Zeile wurde', 'Zeilen wurden')} abgelehnt`,
  imported: 'Alle Zeilen wurden importiert',
  stock: (count) => `Niedriger Bestand: ${counted(count, 'Variante', 'Varianten')}`,
  level: (name, stock) => `${name}: noch ${stock}`,
  more: (count) => `und ${count} weitere`,
  session: 'Kasse mit Differenz geschlossen',
  settingsHint: 'Für alle Ihre Unternehmen.',
  noMail: 'Dieser Dienst verschickt keine E-Mails; Hinweise erscheinen nur in der Glocke.',
  kind: 'Hinweis',
  inBell: 'Glocke',
  byMail: 'E-Mail',
  kinds: {
    webhook: {
      name: 'Webhook schlägt fehl',
      hint: 'Ein Empfänger schlägt zehn Minuten lang fehl oder wird ausgeschaltet',
    },
    import: { name: 'Import beendet', hint: 'Ein Import ist fertig oder fehlgeschlagen' },
    stock: { name: 'Niedriger Bestand', hint: 'Von einer Variante sind weniger als fünf übrig' },
    session: { name: 'Kassendifferenz', hint: 'Eine Kasse wird mit mehr oder weniger als erwartet geschlossen' },
  },
  switchOf: (kind, way) => `${kind}: ${way}`,
}
