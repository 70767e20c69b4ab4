// Das Finden von Varianten, und das Lesen von Barcodes mit der Kamera.
import type { Translation } from '../../language.ts'
import type { text } from '../scan.ts'

export const scan: Translation<typeof text> = {
  scan: 'Mit der Kamera scannen',
  camera: 'Bild der Kamera',
  hint: 'Halten Sie den Barcode oder QR-Code in den Rahmen.',
  denied: 'Diese Seite darf die Kamera nicht verwenden. Erlauben Sie es in den Einstellungen des Browsers.',
  noCamera: 'Es wurde keine Kamera gefunden, oder ein anderes Programm verwendet sie.',
  looking: 'Suche…',
  notFound: (code) => `Zu „${code}“ wurde keine Variante gefunden.`,
  nothing: 'Keine Treffer',
}
