// Die Seite, die Etiketten druckt.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../labels.ts'

const count = (labels: number): string => (labels === 1 ? '1 Etikett' : `${labels.toLocaleString(locale)} Etiketten`)

export const labels: Translation<typeof text> = {
  title: 'Etiketten',
  hint: 'Preis- und Regaletiketten mit Barcodes, auf Bögen oder auf der Rolle eines Etikettendruckers.',
  printLabels: 'Etiketten drucken',
  print: (number) => `${count(number)} drucken`,
  none: 'Noch keine Etiketten',
  noneHint:
    'Scannen oder suchen Sie oben Varianten, oder beginnen Sie bei einem Produkt, bei ausgewählten Zeilen einer Liste oder beim Bestand.',
  add: 'Variante hinzufügen',
  addHint: 'Barcode, Name oder Artikelnummer…',
  variants: 'Varianten',
  quantityOf: (name) => `Etiketten für ${name}`,
  remove: (name) => `${name} entfernen`,
  clear: 'Alle entfernen',
  noCode: 'Kein Barcode und keine Artikelnummer',
  notEncodable: (code) => `„${code}“ kann kein Barcode sein`,
  tooLong: (code) => `${code} ist zu lang für dieses Etikett`,
  bySku: 'aus der Artikelnummer',
  replaced: (number) => `Diese Etiketten ersetzten Ihre Liste mit ${count(number)}.`,
  bringBack: 'Liste zurückholen',
  close: 'Schließen',
  quantities: 'Anzahl setzen',
  oneEach: 'Je eines',
  asStock: (outlet) => `Wie der Bestand in ${outlet}`,
  paper: 'Papier und Inhalt',
  format: 'Format',
  sheets: 'Bögen',
  rolls: 'Rollen',
  sheetOf: (columns, rows, size) => `${size}, ${columns} × ${rows}`,
  sizeOf: (width, height) => `${width} × ${height} mm`,
  show: 'Zeigen',
  shows: { price: 'Preis', sku: 'Artikelnummer', shop: 'Name des Shops', code: 'Barcode' },
  start: 'Ab Etikett',
  startHint: (of) => `Von ${of.toLocaleString(locale)} auf dem ersten Bogen: Lassen Sie die schon verbrauchten aus.`,
  preview: 'Vorschau',
  pages: (number) => (number === 1 ? '1 Bogen' : `${number.toLocaleString(locale)} Bögen`),
  leftOut: (most, over) =>
    `Auf einmal lassen sich höchstens ${most.toLocaleString(locale)} Varianten drucken; ${over.toLocaleString(locale)} ${over === 1 ? 'fehlt' : 'fehlen'}.`,
  tooMany: (most) => `Es werden höchstens ${count(most)} auf einmal gedruckt.`,
  printHint: 'Wählen Sie im Dialog des Browsers dieses Papier, keine Ränder und 100 %.',
}
