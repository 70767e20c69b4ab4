// Typed numbers are read in each locale's format; ambiguous text is refused, never read as the smaller number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  readAmount,
  readJsonNumber,
  readNumber,
  signsOf,
  typedNumber,
} from '../../../console/src/parts/typed-number.ts'

const read = (locale: string, typed: string): string => {
  const found = readNumber(typed, signsOf(locale))
  return typeof found === 'string' ? found : 'refused'
}

test('a thousand is a thousand in each locale, or is refused', () => {
  for (const [locale, typed, meant] of [
    ['de-AT', '1.000', '1000'],
    ['de-AT', '1 000', '1000'],
    ['de-AT', '1.000,50', '1000.50'],
    ['de-DE', '1.000', '1000'],
    ['es-ES', '1.000', '1000'],
    ['en-US', '1,000', '1000'],
    ['en-US', '1,000.50', '1000.50'],
    ['en-IN', '12,34,567.5', '1234567.5'],
    ['de-CH', "1'000", '1000'],
    ['de-CH', '1,000', 'refused'],
    ['fr-FR', '1.000', 'refused'],
    ['fr-FR', '1\u202f000,5', '1000.5'],
    ['pl-PL', '-1.000', 'refused'],
    // Several separators can only be thousands separators.
    ['fr-FR', '1.000.000', '1000000'],
  ] as const)
    assert.equal(read(locale, typed), meant, `${typed} in ${locale}`)
})

test('decimals are read with the locale’s separator, and with the other one if it is unambiguous', () => {
  for (const [locale, typed, meant] of [
    ['de-AT', '1,5', '1.5'],
    ['de-AT', '1.5', '1.5'],
    ['de-AT', '12.50', '12.50'],
    ['de-AT', '0.125', '0.125'],
    ['en-US', '1.000', '1.000'],
    ['en-US', '3,5', '3.5'],
    ['en-US', '.5', '0.5'],
    ['sv-SE', '−2,25', '-2.25'],
  ] as const)
    assert.equal(read(locale, typed), meant, `${typed} in ${locale}`)
})

test('text that is not a number is refused, and a number is shown as it is typed', () => {
  for (const typed of ['abc', '1 2', '12 34', '1.2.3', '1,23.4,5', '1e3', '-', '€ 5'])
    assert.equal(read('de-AT', typed), 'refused', typed)
  assert.equal(typeof readJsonNumber('1234567890123456', signsOf('en-US')), 'object')
  assert.equal(readJsonNumber('123456789012.345', signsOf('en-US')), 123456789012.345)
  assert.equal(typedNumber('10.00', signsOf('de-AT')), '10,00')
  assert.equal(typedNumber(0.000001, signsOf('en-US')), '0.000001')
  for (const [amount, shown] of [
    [3.5, '3,50'],
    ['4', '4,00'],
    ['1.459', '1,459'],
  ] as const)
    assert.equal(typedNumber(amount, { ...signsOf('de-AT'), decimals: 2 }), shown)
})

test('an amount that is finer than its currency is refused, and says how many decimals there are', () => {
  const amount = (typed: string, currency: string) => {
    const read = readAmount(typed, currency, signsOf('en-GB'))
    return typeof read === 'string' ? read : read.reason
  }
  assert.equal(amount('12.34', 'EUR'), '12.34')
  assert.equal(amount('12.500', 'EUR'), '12.500')
  assert.equal(amount('0.005', 'EUR'), 'Amounts in EUR have at most 2 decimals.')
  assert.equal(amount('1.255', 'IQD'), '1.255')
  assert.equal(amount('1.0', 'JPY'), '1.0')
  assert.equal(amount('1.5', 'JPY'), 'Amounts in JPY have no decimals.')
  assert.equal(amount('x', 'JPY'), '“x” is not a number.')
})
