// CSV files of the console: spreadsheets of each language split their cells and read their numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, csvStyleOf, numberText } from '../../../console/src/parts/csv.ts'
import { signsOf } from '../../../console/src/parts/typed-number.ts'

const cells = ['Tea; green', '1.10', 'a,b', '=2+3;=4', 'a,=2+3', '-12.50'] as const

const lineIn = (locale: string) => {
  const style = csvStyleOf(signsOf(locale), locale.slice(0, 2))
  return csvLine([...cells.slice(0, 5), numberText(cells[5], style), 1234.5, '2026-11-24 15:51:55'], style)
}

test('where decimals have a comma, semicolons separate the cells; what is not an amount stays unchanged', () => {
  assert.equal(lineIn('de-DE'), `"Tea; green";1.10;a,b;"'=2+3;'=4";a,'=2+3;-12,50;1234,5;2026-11-24 15:51:55\r\n`)
  assert.equal(lineIn('fr-FR'), lineIn('de-DE'))
  assert.equal(lineIn('de-CH'), `"Tea; green";1.10;a,b;"'=2+3;'=4";a,'=2+3;-12.50;1234.5;2026-11-24 15:51:55\r\n`)
})

test('formulas in a text are guarded wherever a spreadsheet may split it; numbers and lists of them are unchanged', () => {
  const style = csvStyleOf(signsOf('de-DE'), 'de')
  assert.equal(csvLine(['a, -2+3', 'a,@B1', 'a\t=1'], style), "a, '-2+3;a,'@B1;a\t'=1\r\n")
  const behindNumbers = ["-2,5+cmd|' /C calc'!A0", "-1\n*cmd|' /C calc'!A0", "+1\t*cmd|' /C calc'!A0"]
  for (const formula of behindNumbers) assert.match(csvLine([formula], style), /^"?'/)
  const plain = ['1, -2', '-1,5', '+43', '[1,-2]', 'Salt-free, soft', 'a = b, c + d']
  assert.equal(csvLine(plain, style), `${plain.join(';')}\r\n`)
  assert.equal(csvLine(['a\r\n\r\nb'], style), '"a\r\n\r\nb"\r\n')
})

test('elsewhere commas separate them, and decimals have a point', () => {
  assert.equal(lineIn('en-US'), `Tea; green,1.10,"a,b",'=2+3;'=4,"a,'=2+3",-12.50,1234.5,2026-11-24 15:51:55\r\n`)
})
