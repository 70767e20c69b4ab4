// Die Preistabelle.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../prices.ts'

const prices = (count: number): string => (count === 1 ? '1 Preis' : `${count.toLocaleString(locale)} Preise`)
const rows = (count: number): string => (count === 1 ? '1 Zeile' : `${count.toLocaleString(locale)} Zeilen`)

export const priceSheet: Translation<typeof text> = {
  title: 'Preise',
  grid: 'Preise der Varianten',
  in: (name, currency) => `${name} (${currency})`,
  columns: { price: 'Preis', salePrice: 'Aktionspreis', isOnSale: 'In Aktion', costPrice: 'Einkaufspreis' },
  yes: 'Ja',
  no: 'Nein',
  yesWords: ['1', 'ja', 'yes', 'wahr', 'true', 'j', 'y', 'x'],
  noWords: ['0', 'nein', 'no', 'falsch', 'false', 'n', '-', '–'],
  notYesOrNo: (typed) => `„${typed}“ ist weder ja noch nein.`,
  gone: 'Die Variante gibt es nicht mehr.',
  changePercent: 'Um Prozent ändern',
  what: 'Was sich ändert',
  targets: {
    price: 'Preis',
    salePrice: 'Aktionspreis',
    costPrice: 'Einkaufspreis',
    saleFromPrice: 'Aktionspreis, aus dem Preis',
  },
  percent: 'Prozent',
  percentHint: '5 oder -10',
  atLeast: 'Geben Sie mehr als -100 ein.',
  missingPercent: 'Geben Sie einen Prozentsatz ein.',
  atMost: 'Geben Sie höchstens 10.000 ein.',
  rounding: 'Runden auf',
  whichRows: 'Welche Zeilen',
  selectedRows: (count) => `Ausgewählte (${count.toLocaleString(locale)})`,
  allRows: (count) => `Alle passenden (${count.toLocaleString(locale)})`,
  reading: (read, all) =>
    `${read.toLocaleString(locale)}${all === undefined ? '' : ` von ${all.toLocaleString(locale)}`} Zeilen gelesen…`,
  before: 'Vorher',
  after: 'Nachher',
  willChange: (count) => `${prices(count)} ${count === 1 ? 'ändert' : 'ändern'} sich.`,
  without: (count) => `${rows(count)} ohne Wert ${count === 1 ? 'bleibt' : 'bleiben'} unverändert.`,
  firstOnly: (count) => `Die ersten ${count.toLocaleString(locale)} werden gezeigt.`,
  apply: (count) => `${prices(count)} ändern`,
  applied: (count) => `${prices(count)} geändert. Speichern Sie sie, oder machen Sie es rückgängig.`,
  saleAbove: (count) =>
    count === 1
      ? '1 Aktionspreis ist höher als der Preis.'
      : `${count.toLocaleString(locale)} Aktionspreise sind höher als die Preise.`,
  help: [
    ['Pfeiltasten, Tab', 'Zwischen Zellen bewegen'],
    ['0–9', 'Neuen Preis eingeben'],
    ['Enter, F2', 'Preis bearbeiten'],
    ['Leertaste', '„In Aktion“ umschalten'],
    ['Esc', 'Bearbeiten abbrechen; Tabelle verlassen'],
    ['Entf', 'Preis entfernen'],
    ['Umschalt + Pfeiltasten', 'Mehrere Zellen auswählen'],
    ['Strg + C, Strg + V', 'Kopieren und einfügen, auch aus einer Tabellenkalkulation'],
    ['Strg + D, Strg + R', 'Nach unten füllen, nach rechts füllen'],
    ['Strg + Z, Strg + Y', 'Rückgängig, wiederholen'],
    ['Strg + S', 'Speichern'],
    ['/', 'Variante finden'],
    ['Alt + ↓', 'Abgelehnte Zelle klären'],
  ],
}
