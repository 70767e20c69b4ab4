// Fehlertexte der Eingabe von Zahlen und Beträgen.
import type { Translation } from '../../language.ts'
import type { text } from '../numbers.ts'

export const numbers: Translation<typeof text> = {
  notNumber: (typed) => `„${typed}“ ist keine Zahl.`,
  ambiguous: (typed, thousands, decimal) =>
    `„${typed}“ kann ${thousands} oder ${decimal} bedeuten. Geben Sie eines davon ein.`,
  tooLong: 'Höchstens 15 Stellen.',
  tooFine: 'Höchstens 6 Nachkommastellen.',
  finerThan: (currency, digits) =>
    digits === 0
      ? `Beträge in ${currency} haben keine Nachkommastellen.`
      : `Beträge in ${currency} haben höchstens ${digits} Nachkommastellen.`,
}
