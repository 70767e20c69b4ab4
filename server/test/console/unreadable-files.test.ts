// Files that cannot be imported, in German: what the service says of a file is translated, whatever is wrong with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saidOfFile } from '../../../console/src/texts/de/unreadable-files.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import { csvOf } from '../../src/features/file-import/csv.ts'
import { formatOf } from '../../src/features/file-import/formats.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A file with this content. */
const fileOf = (content: Buffer) =>
  csvOf({
    name: 'file.csv',
    size: content.length,
    mostRows: 2,
    async *read() {
      yield content
    },
  })

/** What the service says of a file with this content. */
async function refusalOf(content: Buffer): Promise<string> {
  try {
    const file = await fileOf(content)
    formatOf(file)
    for await (const _ of file.rows());
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return assert.fail(`${content.toString().slice(0, 60)} is accepted`)
}

const files: readonly (readonly [content: string | Buffer, german: RegExp])[] = [
  ['', /ist leer/],
  ['\n\n', /ist leer/],
  [Buffer.from([0x50, 0x4b, 0x03, 0x04]), /ist eine Excel-Mappe oder ein ZIP-Archiv, keine CSV/],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), /eine alte Excel-Mappe/],
  [Buffer.from([0x1f, 0x8b]), /eine komprimierte Datei/],
  ['%PDF-1.7', /ein PDF/],
  ['<html>', /eine Webseite oder XML/],
  ['{}', /ist JSON/],
  ['a\0b\0c\0d\0', /ist kein Text/],
  [Buffer.from([0x61, 0xc3, 0xbc, 0x0a, 0xff]), /Zeile 2 von „file.csv“ ist beschädigt/],
  [Buffer.concat([Buffer.from([0xff, 0xfe, 0x61]), Buffer.alloc(0)]), /nicht durchgehend utf-16le/],
  [Array.from({ length: 5_000 }, (_, n) => `c${n}`).join(','), /hat 5000 Spalten; erlaubt sind/],
  [`${'heading,'.repeat(9)}a\0`, /Kopfzeile von „file.csv“ enthält ein NUL-Zeichen/],
  ['"a,b\n1,2\n', /Anführungszeichen nicht geschlossen/],
  ['Order,Ordered at,Quantity,Price,Order total\n1,1,1,1,1\n2,2,2,2,2\n3,3,3,3,3\n', /hat mehr als 2 Zeilen/],
  ['Order,Ordered at,Quantity,Price,Order total,Order\n', /hat die Spalte „Order“ zweimal/],
  [
    'Once upon a time.\n',
    /weder ein englischer Produktexport .* beginnt: Once upon a time\.\. Eine Datei mit anderen Produkten/,
  ],
  [
    'Token,Item Name,Variation Name\n',
    /ein englischer Export der Artikelbibliothek von Square, aber es fehlt: Spalte "Price"/,
  ],
]

test('the error for a file that cannot be imported is translated to German', async () => {
  for (const [content, german] of files) {
    const english = await refusalOf(Buffer.from(content))
    assert.match(saidOfFile(english) ?? `not translated: ${english}`, german)
  }
})

test('the error for missing columns of a known file is translated to German', () => {
  const said = (lack: string) =>
    saidOfFile(`a.csv is not a customers export of Shopify: ${lack}. Its header begins: X.`)
  const begun = '„a.csv“ sieht aus wie ein Kundenexport von Shopify, '
  assert.equal(
    said('it has no column "A" or "B", no column "C"'),
    `${begun}aber es fehlt: Spalte "A" oder "B", Spalte "C". Die Kopfzeile beginnt: X.`,
  )
  assert.equal(
    said('it has none of the columns that only Shopify exports, such as "Handle"'),
    `${begun}hat aber keine der Spalten, die nur Shopify exportiert, wie „Handle“. Die Kopfzeile beginnt: X.`,
  )
})

browserTest('a file that cannot be read is explained in German on the German page, without English', async () => {
  const { id: companyId } = await service.company()
  const signedIn = await person(service, { companyId })
  const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 400/ })
  await go(`/c/${companyId}/imports`)
  const buffer = Buffer.from('Once upon a time.\n')
  await page.locator('input[type="file"]').setInputFiles({ name: 'story.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('alert').getByText('„story.csv“ ist weder ein englischer Produktexport').waitFor()
  assert.doesNotMatch((await page.getByRole('alert').textContent()) ?? '', /auf Englisch:|needs|is not/)
  quiet()
})
