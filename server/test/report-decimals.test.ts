// Columns of decimals and groups of entries are exact: they give the same sums as integers, whatever their size, sign
// and scale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exact as exactOf } from '../src/core/exact.ts'
import {
  derived,
  type Entries,
  entriesOfText,
  Groups,
  rowsOf,
  textOfEntries,
  textsOf,
} from '../src/features/reports/sums/entries.ts'
import {
  add,
  average,
  type Decimal,
  decimalOf,
  decimalOfJson,
  descending,
  jsonOf,
  negated,
  product,
  textOf,
} from '../src/features/sold-items/decimals.ts'

/** Millionths of a millionth, which no number below has more of. */
const exact = (text: string): bigint => {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return BigInt(`${sign}${whole}${fraction.padEnd(12, '0')}`)
}
const number = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T
const digits = (count: number) => Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join('')
const random = (): string => {
  const fraction = digits(number([0, 2, 2, 2, 6]))
  return `${number(['', '', '-'])}${BigInt(digits(number([1, 3, 3, 3, 9, 15])))}${fraction && `.${fraction}`}`
}
const decimal = (text: string) => decimalOf(exactOf(text))
const shown = (value: Decimal) => exact(textOf(value, 0))

test('decimals are added up, subtracted, multiplied, compared and stored exactly, small and large, few decimals and many', () => {
  for (let round = 0; round < 5_000; round++) {
    const one = random()
    const other = random()
    const a = decimal(one)
    const b = decimal(other)
    assert.equal(shown(a), exact(one))
    assert.equal(shown(add(a, b)), exact(one) + exact(other))
    assert.equal(shown(add(a, negated(b))), exact(one) - exact(other))
    assert.equal(shown(product(a, b)), (exact(one) * exact(other)) / 10n ** 12n)
    assert.equal(Math.sign(descending(a, b)), exact(one) > exact(other) ? -1 : exact(one) < exact(other) ? 1 : 0)
    for (const value of [a, product(a, b)])
      assert.equal(shown(decimalOfJson(JSON.parse(JSON.stringify(jsonOf(value))))), shown(value))
  }
})

test('amounts have at least the decimals of their currency and no zeros beyond; averages are rounded half away from zero', () => {
  for (const [text, decimals, is] of [
    ['2.5', 2, '2.50'],
    ['2.500', 2, '2.50'],
    ['2.505', 2, '2.505'],
    ['-0.05', 2, '-0.05'],
    ['-0.005', 2, '-0.005'],
    ['0', 2, '0.00'],
    ['1200', 0, '1200'],
    ['1200.00', 0, '1200'],
    ['1', 3, '1.000'],
    ['0.0000001', 2, '0.0000001'],
    ['123456789012345.123456', 2, '123456789012345.123456'],
    ['-900719925474099.30', 2, '-900719925474099.30'],
    ['-9007199254.74', 2, '-9007199254.74'],
    ['9007199254.7409', 4, '9007199254.7409'],
  ] as const)
    assert.equal(textOf(decimal(text), decimals), is)
  for (const [sum, count, decimals, is] of [
    ['10.00', '3', 2, '3.33'],
    ['0.05', '2', 2, '0.03'],
    ['-0.05', '2', 2, '-0.03'],
    ['5', '2', 0, '3'],
    ['1.001', '1', 2, '1.00'],
    ['900719925474099.31', '2', 2, '450359962737049.66'],
    ['1', '0', 2, undefined],
  ] as const)
    assert.equal(average(decimal(sum), decimal(count), decimals), is)
})

test('groups are distinguished by each of their keys, also where keys are derived and only some rows are added', () => {
  const entries: Entries = { length: 4, keys: { a: textsOf(['x', 'x', 'y', 'x']), b: textsOf(['', 'x', '', 'x']) }, sums: { n: ['1', '2', '4', '8.5'].map(decimal) } } // biome-ignore format: a table
  const sums = (names: string[], some = [entries]) => {
    const groups = new Groups(names)
    for (const one of some) groups.add(one)
    return Object.fromEntries(groups.paths.map((path, n) => [path.join('|'), textOf(groups.sum('n', n), 0)]))
  }
  assert.deepEqual(sums(['a', 'b']), { 'x|': '1', 'x|x': '10.5', 'y|': '4' })
  assert.deepEqual(sums(['b', 'a'], [entries, entries]), { '|x': '2', 'x|x': '21', '|y': '8' })
  assert.deepEqual(sums(['a', 'b'], [rowsOf(entries, [1, 3])]), { 'x|x': '10.5' })
  const renamed = derived(entries, 'a', 'a', (text) => (text === 'x' ? 'y' : text))
  assert.deepEqual(sums(['a'], [renamed]), { y: '15.5' })
})

test('groups are stored as entries that add up to the same groups', () => {
  const groups = new Groups(['a', 'b'])
  const sums = { n: ['0.1', '99999999999.99', '1', '0.0000001'].map(decimal) }
  groups.add({
    length: 4,
    keys: { a: textsOf(['x', 'y', 'x', 'y']), b: textsOf(['\u0000', '"', '\u0000', 'ä']) },
    sums,
  })
  const again = new Groups(['a', 'b'])
  for (const [first, end] of [
    [0, 2],
    [2, 3],
  ] as const)
    again.add(entriesOfText(textOfEntries(groups.entries(first, end))))
  const all = (some: Groups) => some.paths.map((path, n) => [path, some.sum('n', n)])
  assert.equal(all(groups).length, 3)
  assert.deepEqual(all(again), all(groups))
})

test('a value of a column that no row has makes no group', () => {
  const keys = { a: { values: ['unused', 'x', 'y'], places: [1, 2, 1] } }
  const groups = new Groups(['a'])
  groups.add({ length: 3, keys, sums: { n: ['1', '2', '4'].map(decimal) } })
  assert.deepEqual(groups.paths, [['x'], ['y']])
})

test('a group is found by the values of its keys, whatever these contain; the sums of one that does not exist are zero', () => {
  const groups = new Groups(['a', 'b'])
  const keys = { a: textsOf(['x', 'y', 'x', 'x,y']), b: textsOf(['1', '1', '2', '3']) }
  groups.add({ length: 4, keys, sums: { n: ['1', '2', '4', '8'].map(decimal) } })
  const sumAt = (...values: string[]) => textOf(groups.sum('n', groups.at(...values)), 0)
  const found = [sumAt('x', '1'), sumAt('y', '1'), sumAt('x', '2'), sumAt('x,y', '3')]
  assert.deepEqual(found, ['1', '2', '4', '8'])
  const missing = [sumAt('y', '2'), sumAt('z', '1'), sumAt('x', '3'), sumAt('', ''), sumAt('x')]
  assert.deepEqual(missing, ['0', '0', '0', '0', '0'])
})
