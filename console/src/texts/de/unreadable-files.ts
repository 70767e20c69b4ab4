// Warum eine Datei nicht importiert werden kann: Der Dienst sagt es auf Englisch. Ein Satz, der hier fehlt, bleibt englisch.

type Sentence = readonly [english: RegExp, german: string]

/** Was eine Datei ist. */
const kinds: readonly Sentence[] = [
  [/^an Excel workbook or a ZIP archive$/, 'eine Excel-Mappe oder ein ZIP-Archiv'],
  [/^an old Excel workbook$/, 'eine alte Excel-Mappe'],
  [/^a compressed file$/, 'eine komprimierte Datei'],
  [/^a web page or XML$/, 'eine Webseite oder XML'],
  [/^a PDF$/, 'ein PDF'],
  [/^an English item library export of (.+)$/, 'ein englischer Export der Artikelbibliothek von $1'],
  [/^an English product export of (.+)$/, 'ein englischer Produktexport von $1'],
  [/^an inventory export of (.+)$/, 'ein Export des Bestands von $1'],
  [/^a product export of (.+)$/, 'ein Produktexport von $1'],
  [/^a customers export of (.+)$/, 'ein Kundenexport von $1'],
  [/^a customer directory export of (.+)$/, 'ein Export des Kundenverzeichnisses von $1'],
  [/^an orders export of (.+)$/, 'ein Bestellexport von $1'],
  [/^a plain file of customers$/, 'eine einfache Datei mit Kunden'],
  [/^a plain file of orders$/, 'eine einfache Datei mit Bestellungen'],
]

const needed =
  ' Eine Datei mit anderen Produkten braucht die Spalten SKU, Name und Regular price. Eine einfache Datei mit Bestellungen braucht die Spalten Order, Ordered at, Quantity, Price und Order total. Eine einfache Datei mit Kunden braucht eine Spalte Email, ID oder Phone und mindestens zwei von Email, Phone, Name, First name und Last name.'

const sentences: readonly Sentence[] = [
  [/^(.+) is empty\.$/s, '„$1“ ist leer.'],
  [
    /^(.+) is not text\. Save it as "CSV UTF-8" and import that file\.$/s,
    '„$1“ ist kein Text. Speichern Sie sie als „CSV UTF-8“ und importieren Sie diese Datei.',
  ],
  [
    /^Line (\d+) of (.+) is damaged: it is not UTF-8 like the lines before it\. Export the file again\.$/s,
    'Zeile $1 von „$2“ ist beschädigt: Sie ist nicht UTF-8 wie die Zeilen davor. Exportieren Sie die Datei neu.',
  ],
  [
    /^(.+) is damaged: it is not (\S+) throughout\. Export the file again\.$/s,
    '„$1“ ist beschädigt: Sie ist nicht durchgehend $2. Exportieren Sie die Datei neu.',
  ],
  [/^(.+) is not CSV: line (\d+) is longer than 4 MB\.$/s, '„$1“ ist keine CSV: Zeile $2 ist länger als 4 MB.'],
  [/^(.+) has (\d+) columns; the maximum is (\d+)\.$/s, '„$1“ hat $2 Spalten; erlaubt sind $3.'],
  [
    /^The header of (.+) contains a NUL character\. Export the file again\.$/s,
    'Die Kopfzeile von „$1“ enthält ein NUL-Zeichen. Exportieren Sie die Datei neu.',
  ],
  [
    /^(.+) has more than (\d+) rows\. Split it into several files\.$/s,
    '„$1“ hat mehr als $2 Zeilen. Teilen Sie sie auf mehrere Dateien auf.',
  ],
  [
    /^(.+) has too many variations\. Split it into several files\.$/s,
    '„$1“ hat zu viele Varianten. Teilen Sie sie auf mehrere Dateien auf.',
  ],
  [
    /^Line (\d+) of (.+), the header, has a quotation mark that is not closed\.$/s,
    'In Zeile $1 von „$2“, der Kopfzeile, ist ein Anführungszeichen nicht geschlossen.',
  ],
  [
    /^(.+) is not an English product export of WooCommerce, Shopify or Lightspeed \(X-Series\), an item library of Square, or a known file of stock, customers or orders\. Its header begins: (.*?)\. A file of other products needs .+$/s,
    `„$1“ ist weder ein englischer Produktexport von WooCommerce, Shopify oder Lightspeed (X-Series) noch eine Artikelbibliothek von Square noch eine bekannte Datei mit Bestand, Kunden oder Bestellungen. Die Kopfzeile beginnt: $2.${needed}`,
  ],
  [
    /^(.+) has the column "(.*)" twice\. Remove one of them\.$/s,
    '„$1“ hat die Spalte „$2“ zweimal. Entfernen Sie eine davon.',
  ],
  [
    /^(.+) has the columns (.+), which mean the same\. Remove one of them\.$/s,
    '„$1“ hat Spalten, die dasselbe bedeuten: $2. Entfernen Sie eine davon.',
  ],
  [
    /^The file has more than (\S+) categories\. Split it into several files\.$/,
    'Die Datei hat mehr als $1 Kategorien. Teilen Sie sie auf mehrere Dateien auf.',
  ],
  [
    /^More than (\S+) lines cannot be imported\. Look at the first ones, and correct the file\.$/,
    'Mehr als $1 Zeilen können nicht importiert werden. Sehen Sie die ersten an und korrigieren Sie die Datei.',
  ],
  [
    /^The database took too long in (\d+) attempts\. .+$/,
    'Die Datenbank brauchte in $1 Versuchen zu lange. Teilen Sie die Datei auf mehrere auf, oder importieren Sie zu einer ruhigeren Zeit.',
  ],
  [/^An internal error occurred and was logged\.$/, 'Ein interner Fehler ist aufgetreten und wurde protokolliert.'],
]

function translationOf(english: string, known: readonly Sentence[]): string | undefined {
  const found = known.find(([pattern]) => pattern.test(english))
  return found && english.replace(...found)
}

const kindOf = (english: string): string => translationOf(english, kinds) ?? english

/** Was der Datei fehlt: `it has no column "A" or "B", no column "C"`. */
function lackOf(english: string): string {
  const only = /^it has none of the columns that only (.+) exports, such as "(.*)"$/.exec(english)
  if (only) return `hat aber keine der Spalten, die nur ${only[1]} exportiert, wie „${only[2]}“`
  const columns = english.replace(/^it has no column /, '').split(/, no column /)
  return `aber es fehlt: ${columns.map((one) => `Spalte ${one.replaceAll('" or "', '" oder "')}`).join(', ')}`
}

/** Der Satz auf Deutsch; undefined, wenn er nur auf Englisch bekannt ist. */
export function saidOfFile(english: string): string | undefined {
  const whole = translationOf(english, sentences)
  if (whole !== undefined) return whole
  const spoilt = /^(.+) is (.+), not CSV\. Save or export it as "CSV UTF-8" and import that file\.$/s.exec(english)
  if (spoilt)
    return `„${spoilt[1]}“ ist ${kindOf(spoilt[2] ?? '')}, keine CSV. Speichern oder exportieren Sie sie als „CSV UTF-8“ und importieren Sie diese Datei.`
  const lacking = /^(.+) is not (an? .+?): (it has .+?)\. Its header begins: (.*)\.$/s.exec(english)
  if (lacking)
    return `„${lacking[1]}“ sieht aus wie ${kindOf(lacking[2] ?? '')}, ${lackOf(lacking[3] ?? '')}. Die Kopfzeile beginnt: ${lacking[4]}.`
  return undefined
}
