// Berichte und Abschlüsse von Schichten.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../sessions.ts'

export const sessions: Translation<typeof text> = {
  open: 'Offen',
  xAndClose: 'Bericht (X) und Abschluss',
  xTitle: 'Bericht (X)',
  xHint: 'Summen der Schicht bis jetzt, laufend aktualisiert.',
  xClosedHint:
    'Summen der Datensätze der Schicht, wie sie jetzt sind. Der Abschluss zeigt sie, wie sie beim Schließen waren.',
  noClosing:
    'Diese Schicht wurde ohne Abschluss (Z) geschlossen. Die Zahlen sind die ihrer Datensätze, wie sie jetzt sind.',
  zTitle: (number) => `Abschluss (Z) ${number}`,
  zHint: 'Wie er beim Schließen der Schicht war. Ein Abschluss ändert sich nie.',
  closings: 'Abschlüsse',
  closingsHint: 'Erwartete und gezählte Beträge bei jedem Schließen einer Kasse.',
  noClosings: 'Noch keine Abschlüsse',
  noClosingsHint: 'Schließen Sie eine Schicht und zählen Sie die Lade, um einen zu erstellen.',
  number: 'Nummer',
  closedBy: 'Geschlossen von',
  station: 'Kasse',
  session: 'Schicht',
  opened: 'Geöffnet',
  closed: 'Geschlossen',
  asOf: 'Stand',
  openingAmount: 'Anfangsbestand',
  note: 'Notiz',
  drawer: 'Kassenbestand',
  method: 'Zahlungsart',
  expected: 'Soll',
  amountExpected: (amount) => `${amount} erwartet`,
  counted: 'Gezählt',
  difference: 'Differenz',
  noDifference: 'Keine',
  notCounted: 'Nicht gezählt',
  countedOf: (method, currency) => `${method} gezählt, ${currency}`,
  totals: 'Summen',
  count: 'Anzahl',
  amount: 'Betrag',
  sales: 'Verkäufe',
  refunds: 'Erstattungen',
  voids: 'Stornos',
  discounts: 'Rabatte',
  tax: 'Steuer',
  tips: 'Trinkgeld',
  payments: 'Zahlungen',
  taxes: 'Steuersätze',
  net: 'Netto',
  movements: 'Bargeldbewegungen',
  categories: 'Kategorien',
  employees: 'Mitarbeiter',
  noCategory: 'Ohne Kategorie',
  other: 'Andere',
  figuresOf: (currency, isLate) => (isLate ? `${currency}, verspätete Datensätze` : currency),
  late: (count) =>
    count === 1
      ? 'Ein Datensatz gehört zu einer früheren Schicht und kam verspätet an.'
      : `${count.toLocaleString(locale)} Datensätze gehören zu früheren Schichten und kamen verspätet an.`,
  close: 'Schicht schließen',
  closeTitle: 'Schicht schließen',
  closeHint:
    'Geben Sie ein, was Sie für jede Zahlungsart gezählt haben. Leer lassen, was Sie nicht zählen. Das erstellt einen Abschluss (Z), der sich nicht ändern lässt.',
}
