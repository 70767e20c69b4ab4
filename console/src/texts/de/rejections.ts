// Warum Zeilen einer Datei abgelehnt wurden, und warum Datensätze bleiben, wenn ein Import rückgängig gemacht wird: Der Dienst sagt es auf Englisch. Ein Satz, der hier fehlt, bleibt englisch.

import { labelOf } from '../members.ts'
import { shell } from './shell.ts'

type Sentence = readonly [english: RegExp, german: string]

const later = 'so dass ein späterer Import sie nicht wiederfände'

/** Was nach dem Namen einer Spalte und ihrem Inhalt folgt. */
const ofCell: readonly Sentence[] = [
  [/^is not a number$/, 'ist keine Zahl'],
  [/^can mean (.+) or (.+); write (.+) or (.+)$/, 'kann $1 oder $2 heißen; schreiben Sie $3 oder $4'],
  [/^has more digits than can be stored$/, 'hat mehr Ziffern, als gespeichert werden können'],
  [/^has more than six decimals$/, 'hat mehr als sechs Nachkommastellen'],
  [
    /^may have the day or the month first; write (.+) \(in a spreadsheet, format the column as yyyy-mm-dd hh:mm\)$/,
    'ist nicht eindeutig: Tag oder Monat kann vorn stehen; schreiben Sie $1 (in der Tabellenkalkulation: Spaltenformat JJJJ-MM-TT hh:mm)',
  ],
  [/^is not a date such as (.+) or (.+)$/, 'ist kein Datum wie $1 oder $2'],
  [/^is not a date such as (.+)$/, 'ist kein Datum wie $1'],
  [/^is not one of (.+)$/, 'ist keines von: $1'],
  [/^is not the code of a currency, such as (.+)$/, 'ist kein Währungscode wie $1'],
  [/^is not a status of Shopify$/, 'ist kein Status von Shopify'],
  [/^is (\S+) characters long; the maximum is (\S+)$/, 'hat $1 Zeichen; erlaubt sind $2'],
  [/^is (\S+) levels deep; the maximum is (\S+)$/, 'hat $1 Ebenen; erlaubt sind $2'],
  [/^names (\S+) categories; the maximum is (\S+)$/, 'nennt $1 Kategorien; erlaubt sind $2'],
  [
    /^was rounded by a spreadsheet and has lost its digits; export it again, or format the column as text$/,
    'wurde von einer Tabellenkalkulation gerundet und hat Ziffern verloren; exportieren Sie neu, oder formatieren Sie die Spalte als Text',
  ],
  [/^has no name in the column (.+)$/, 'hat keinen Namen in der Spalte $1'],
  [/^needs an amount in the column (.+)$/, 'braucht einen Betrag in der Spalte $1'],
  [/^is more than the (.+) and the payments$/, 'ist mehr als $1 und mehr als die Zahlungen'],
  [/^has no option name$/, 'hat keinen Namen der Option'],
  [/^is already in line (\S+)$/, 'gibt es schon in Zeile $1'],
]

/** Was nach dem Namen eines Felds folgt, wenn die API seinen Wert nicht annimmt. */
const ofMember: readonly Sentence[] = [
  [/^is required$/, shell.wrong.required],
  [/^must not be empty$/, shell.wrong.empty],
  [/^must contain at least one non-whitespace character$/, shell.wrong.empty],
  [/^must contain at least (\S+) characters$/, 'muss mindestens $1 Zeichen haben'],
  [/^must not have more than (\S+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must contain at least one entry$/, 'muss mindestens einen Eintrag haben'],
  [/^must contain at least (\S+) entries$/, 'muss mindestens $1 Einträge haben'],
  [/^must not have more than (\S+) entries$/, 'darf nicht mehr als $1 Einträge haben'],
  [/^must not be less than (\S+)$/, 'darf nicht kleiner als $1 sein'],
  [/^must not be more than (\S+)$/, 'darf nicht größer als $1 sein'],
  [/^must be an e-mail address, such as .+$/, shell.wrong.formats.email],
  [/^must be an absolute http or https URL$/, shell.wrong.formats.uri],
  [/^must be a date that exists, such as .+$/, shell.wrong.formats.date],
  [/^must be a date-time that exists, .+$/, shell.wrong.formats['date-time']],
  [
    /^must be a decimal .+, such as "(.+)"$/,
    'muss ein Betrag wie „$1“ sein, mit höchstens 15 Stellen vor und 6 nach dem Punkt',
  ],
  [
    /^must be a three-letter ISO 4217 currency code, such as "(.+)"$/,
    'muss ein Währungscode nach ISO 4217 sein, wie „$1“',
  ],
  [
    /^must be a number between −10\^15 and 10\^15, with at most (\S+) decimals$/,
    'muss eine Zahl zwischen −10^15 und 10^15 sein, mit höchstens $1 Nachkommastellen',
  ],
  [/^must be a whole number$/, 'muss eine ganze Zahl sein'],
  [/^must be a number$/, 'muss eine Zahl sein'],
  [/^must be a string$/, 'muss ein Text sein'],
  [/^must be true or false$/, 'muss ja oder nein sein'],
  [/^must be one of (.+)$/, 'muss eines von diesen sein: $1'],
]

const sentences: readonly Sentence[] = [
  [
    /^a quotation mark in this line is not closed, or is closed too early$/,
    'In dieser Zeile ist ein Anführungszeichen nicht geschlossen oder zu früh geschlossen.',
  ],
  [/^the line has (\S+) columns, the header has (\S+)$/, 'Die Zeile hat $1 Spalten, die Kopfzeile $2.'],
  [/^(.+) contains a NUL character$/, '$1 enthält ein NUL-Zeichen.'],
  [/^(.+) names no quantity, or no total$/, '$1 nennt keine Menge oder keine Summe.'],
  [/^the product has no name$/, 'Das Produkt hat keinen Namen.'],
  [/^the row has no handle$/, 'Die Zeile hat keinen Handle.'],
  [
    /^the row is a part of a composite product; Cashwrap imports such a product without its parts$/,
    'Die Zeile ist ein Teil eines zusammengesetzten Produkts; Cashwrap importiert ein solches Produkt ohne seine Teile.',
  ],
  [/^the row names neither a variant nor an image$/, 'Die Zeile nennt weder eine Variante noch ein Bild.'],
  [/^the row has neither an ID nor a SKU, so .+$/, `Die Zeile hat weder ID noch SKU, ${later}.`],
  [
    /^the row has no id, e-mail address or phone number, so .+$/,
    `Die Zeile hat weder Id noch E-Mail-Adresse noch Telefonnummer, ${later}.`,
  ],
  [/^the variation names no product in the column Parent$/, 'Die Variante nennt in der Spalte Parent kein Produkt.'],
  [/^no variant of the product can be imported$/, 'Keine Variante des Produkts kann importiert werden.'],
  [/^no row above gives the product "(.*)" a title$/, 'Keine Zeile darüber gibt dem Produkt „$1“ einen Titel.'],
  [/^line (\S+) gives the product "(.*)" another title$/, 'Zeile $1 gibt dem Produkt „$2“ einen anderen Titel.'],
  [/^the product "(.*)" was refused in line (\S+)$/, 'Das Produkt „$1“ wurde in Zeile $2 abgelehnt.'],
  [
    /^neither the company nor the imported lines of this file have a product "(.*)"$/,
    'Weder das Unternehmen noch die importierten Zeilen dieser Datei haben ein Produkt „$1“.',
  ],
  [/^the variant "(.*)" is already in line (\S+)$/, 'Die Variante „$1“ gibt es schon in Zeile $2.'],
  [
    /^the stock of (.+) is not imported: each location needs exactly one outlet of its own, with its name or alias; rename an outlet, or choose one for the location$/,
    'Der Bestand von $1 wird nicht importiert: Jeder Standort braucht genau eine eigene Filiale mit seinem Namen oder Kürzel. Benennen Sie eine Filiale um, oder wählen Sie eine für den Standort.',
  ],
  [
    /^the company has no variant "(.*)"; import the products of the shop first$/,
    'Das Unternehmen hat keine Variante „$1“; importieren Sie zuerst die Produkte des Shops.',
  ],
  [
    /^the stock of "(.*)" at "(.*)" is already in line (\S+)$/,
    'Der Bestand von „$1“ am Standort „$2“ steht schon in Zeile $3.',
  ],
  [/^the row has no location$/, 'Die Zeile hat keinen Standort.'],
  [/^the order has no total$/, 'Die Bestellung hat keine Summe.'],
  [/^the first line of the order has no total$/, 'Die erste Zeile der Bestellung hat keine Summe.'],
  [/^the first line of the order has no date$/, 'Die erste Zeile der Bestellung hat kein Datum.'],
  [/^the line has no quantity$/, 'Die Zeile hat keine Menge.'],
  [/^the line has no price$/, 'Die Zeile hat keinen Preis.'],
  [/^the line has no (.+)$/, 'In der Zeile fehlt: $1.'],
  [
    /^the payment has no amount; write 0 if nothing was paid$/,
    'Die Zahlung hat keinen Betrag; schreiben Sie 0, wenn nichts bezahlt wurde.',
  ],
  [/^the order is already in line (\S+)$/, 'Die Bestellung gibt es schon in Zeile $1.'],
  [
    /^the order "(.*)" is already in line (\S+); its lines must follow each other$/,
    'Die Bestellung „$1“ gibt es schon in Zeile $2; ihre Zeilen müssen aufeinander folgen.',
  ],
  [
    /^the order "(.*)" continues in line (\S+), after another order; its lines must follow each other$/,
    'Die Bestellung „$1“ geht in Zeile $2 nach einer anderen weiter; ihre Zeilen müssen aufeinander folgen.',
  ],
  [
    /^the order has "(.*)" from an earlier import, and this file does not; delete it first$/,
    'Die Bestellung hat „$1“ aus einem früheren Import, diese Datei aber nicht; löschen Sie es zuerst.',
  ],
  [/^the order "(.*)" was refused in line (\S+)$/, 'Die Bestellung „$1“ wurde in Zeile $2 abgelehnt.'],
  [/^the order was refused in line (\S+)$/, 'Die Bestellung wurde in Zeile $1 abgelehnt.'],
  [
    /^line (\S+), which may belong to the order, cannot be read$/,
    'Zeile $1, die zu der Bestellung gehören kann, ist nicht lesbar.',
  ],
  [/^the order has more than (\S+) lines$/, 'Die Bestellung hat mehr als $1 Zeilen.'],
  [
    /^the order is paid in part, and the file has no (.+) that says how much$/,
    'Die Bestellung ist zum Teil bezahlt, und in der Datei sagt kein „$1“, wie viel.',
  ],
  [/^It was deleted since\.$/, 'Inzwischen gelöscht.'],
  [/^It was changed since the import\.$/, 'Seit dem Import geändert.'],
  [/^Its stock has moved since the import\.$/, 'Der Bestand hat sich seit dem Import bewegt.'],
  [
    /^Its stock has moved since the import, and stays; the rest is restored\.$/,
    'Der Bestand hat sich seit dem Import bewegt und bleibt; der Rest wird wiederhergestellt.',
  ],
  [
    /^It was changed since the import, and stays; its stock is restored\.$/,
    'Seit dem Import geändert, bleibt also; der Bestand wird wiederhergestellt.',
  ],
  [
    /^Its order stays: it, or a payment or refund of it, was changed since the import\.$/,
    'Die Bestellung bleibt, weil sie, eine Zahlung oder eine Erstattung seit dem Import geändert wurde.',
  ],
  [
    /^It was changed, and its stock has moved since the import\.$/,
    'Seit dem Import geändert, und der Bestand hat sich bewegt.',
  ],
  [/^It has variants that stay\.$/, 'Es gibt Varianten dazu, die bleiben.'],
  [/^It has payments that stay\.$/, 'Es gibt Zahlungen dazu, die bleiben.'],
  [/^It has payments or refunds that stay\.$/, 'Es gibt Zahlungen oder Erstattungen dazu, die bleiben.'],
  [/^It has orders\.$/, 'Es gibt Bestellungen dazu.'],
  [/^Products are in it\.$/, 'Es sind Produkte darin.'],
  [/^Categories are in it\.$/, 'Es sind Kategorien darin.'],
  [/^It is in use\.$/, 'Wird noch verwendet.'],
]

function translationOf(english: string, known: readonly Sentence[]): string | undefined {
  const found = known.find(([pattern]) => pattern.test(english))
  return found && english.replace(...found)
}

/** Der Satz auf Deutsch. */
export function saidOfRejection(english: string): string {
  const whole = translationOf(english, sentences)
  if (whole !== undefined) return whole
  const [, column, content, rest = ''] = /^(.+?) "(.*)" (.+)$/.exec(english) ?? []
  const ending = translationOf(rest, ofCell)
  if (ending !== undefined) return `${column} „${content}“ ${ending}.`
  const refused = english.split('; ').map(saidOfMember)
  return refused.includes(undefined) ? english : `${refused.join('; ')}.`
}

/** Ein Feld, das die API nicht annimmt, nach seinem Pfad: `billing city must …`. */
function saidOfMember(english: string): string | undefined {
  const [, path = '', wrong = ''] = /^(.+?) ((?:is|must) .+)$/.exec(english) ?? []
  const ending = translationOf(wrong, ofMember)
  return ending && `${path.split(' ').map(labelOf).join(' › ')}: ${ending}`
}
