// Die Anfragen eines API-Schlüssels.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../key-requests.ts'

const number = (value: number): string => value.toLocaleString(locale)

export const keyRequests: Translation<typeof text> = {
  title: 'Anfragen',
  request: 'Anfrage',
  status: 'Status',
  all: 'Alle',
  duration: 'Dauer',
  ms: (ms) => `${number(ms)} ms`,
  time: 'Zeit',
  requestId: 'Id der Anfrage',
  left: 'Abgebrochen',
  copyCurl: 'Als curl kopieren',
  copied: 'Kopiert',
  count: (count) => `${number(count)} ${count === 1 ? 'Anfrage' : 'Anfragen'}`,
  none: 'Noch keine Anfragen',
  noneHint: 'Anfragen mit diesem Schlüssel erscheinen hier nach Sekunden.',
  noneOf: (status) => `Keine Anfragen mit Status ${status}`,
  noneOfHint: 'Keine der letzten 1.000 Anfragen hatte ihn.',
  hint: 'Die letzten 1.000 Anfragen aus 30 Tagen. Inhalte, Header und Werte, die eine Person nennen können, werden nicht gespeichert; {name} steht für einen solchen Wert. Setzen Sie in einem kopierten Befehl CASHWRAP_KEY auf den Schlüssel.',
}
