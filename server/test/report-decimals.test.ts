// Columns of decimals and groups of entries are exact: they give the same sums as integers, whatever their size, sign
// and scale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPlaces } from '../src/features/reports/first-places.ts'
import {
  averageAt,
  balanceOf,
  type Decimals,
  decimalsOf,
  GroupTotals,
  product,
  textAt,
} from '../src/features/reports/sums/decimals.ts'
import { derived, Groups, rowsOf, textsOf } from '../src/features/reports/sums/entries.ts'

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
const allOf = (column: Decimals, length: number) => Array.from({ length }, (_, n) => exact(textAt(column, n, 0)))

test('texts are read, added up, subtracted and multiplied exactly, small and large, few decimals and many', () => {
  for (let round = 0; round < 300; round++) {
    const [one, other] = [0, 1].map(() => Array.from({ length: 20 }, random)) as [string[], string[]]
    const [a, b] = [decimalsOf(one), decimalsOf(other)]
    assert.deepEqual(allOf(a, 20), one.map(exact))
    assert.deepEqual(allOf(balanceOf(20, [a], [b]), 20), one.map((text, n) => exact(text) - exact(other[n] as string))) // biome-ignore format: one thought
    assert.deepEqual(allOf(product(a, b), 20), one.map((text, n) => (exact(text) * exact(other[n] as string)) / 10n ** 12n)) // biome-ignore format: one thought
    const totals = new GroupTotals()
    const places = Uint32Array.from(one, (_, n) => n % 3)
    for (const column of [a, b]) totals.add(column, places, 3)
    const expected = [0n, 0n, 0n]
    for (const texts of [one, other])
      texts.forEach((text, n) => {
        expected[n % 3] = (expected[n % 3] as bigint) + exact(text)
      })
    assert.deepEqual(allOf(totals, 3), expected)
  }
})

test('amounts have at least the decimals of their currency and no zeros beyond; averages are rounded half away from zero', () => {
  const shown = (text: string, decimals: number) => textAt(decimalsOf([text]), 0, decimals)
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
    ['123456789012345.123456', 2, '123456789012345.123456'],
    ['-900719925474099.30', 2, '-900719925474099.30'],
  ] as const)
    assert.equal(shown(text, decimals), is)
  const average = (sum: string, count: string, decimals: number) => averageAt(decimalsOf([sum]), decimalsOf([count]), 0, decimals) // biome-ignore format: one thought
  for (const [sum, count, decimals, is] of [
    ['10.00', '3', 2, '3.33'],
    ['0.05', '2', 2, '0.03'],
    ['-0.05', '2', 2, '-0.03'],
    ['5', '2', 0, '3'],
    ['1.001', '1', 2, '1.00'],
    ['900719925474099.31', '2', 2, '450359962737049.66'],
    ['1', '0', 2, undefined],
  ] as const)
    assert.equal(average(sum, count, decimals), is)
})

test('groups are distinguished by each of their keys, also where keys are derived and only some rows are added', () => {
  const entries = { length: 4, keys: { a: textsOf(['x', 'x', 'y', 'x']), b: textsOf(['', 'x', '', 'x']) }, sums: { n: decimalsOf(['1', '2', '4', '8.5']) } } // biome-ignore format: a table
  const sums = (names: string[], some = [entries]) => {
    const groups = new Groups(names)
    for (const one of some) groups.add(one)
    return Object.fromEntries(Array.from({ length: groups.size }, (_, n) => [groups.valuesAt(n).join('|'), textAt(groups.total('n'), n, 0)])) // biome-ignore format: one thought
  }
  assert.deepEqual(sums(['a', 'b']), { 'x|': '1', 'x|x': '10.5', 'y|': '4' })
  assert.deepEqual(sums(['b', 'a'], [entries, entries]), { '|x': '2', 'x|x': '21', '|y': '8' })
  assert.deepEqual(sums(['a', 'b'], [rowsOf(entries, [1, 3]) as typeof entries]), { 'x|x': '10.5' })
  const renamed = derived(entries, 'a', 'a', (text) => (text === 'x' ? 'y' : text))
  assert.deepEqual(sums(['a'], [renamed as typeof entries]), { y: '15.5' })
})

test('a value of a column that no row has makes no group', () => {
  const keys = { a: { values: ['unused', 'x', 'y'], places: Uint32Array.from([1, 2, 1]) } }
  const groups = new Groups(['a'])
  groups.add({ length: 3, keys, sums: { n: decimalsOf(['1', '2', '4']) } })
  assert.deepEqual([groups.size, groups.valuesAt(0), groups.valuesAt(1)], [2, ['x'], ['y']])
})

test('groups are found by their last value below the first ones, whatever these contain', () => {
  const groups = new Groups(['a', 'b'])
  const keys = { a: textsOf(['x', 'y', 'x', 'x,y']), b: textsOf(['1', '1', '2', '3']) }
  groups.add({ length: 4, keys, sums: { n: decimalsOf(['1', '2', '4', '8']) } })
  const sums = (...first: string[]) => Object.fromEntries(Array.from(groups.below(...first), ([value, group]) => [value, textAt(groups.total('n'), group, 0)])) // biome-ignore format: one thought
  assert.deepEqual([sums('x'), sums('y'), sums('x,y'), sums('z')], [{ 1: '1', 2: '4' }, { 1: '2' }, { 3: '8' }, {}])
})

test('the first rows are those of a complete sort, whatever the order and however many are equal', async () => {
  for (let round = 0; round < 50; round++) {
    const values = Array.from({ length: 2_500 }, () => Math.floor(Math.random() * number([3, 5_000])))
    const compare = (a: number, b: number) => (values[b] as number) - (values[a] as number) || a - b
    const isShown = (place: number) => place % 3 > 0
    const all = Array.from(values.keys()).filter(isShown).sort(compare)
    assert.deepEqual(
      await firstPlaces({ size: values.length, limit: 100, line: 'c' }, isShown, compare),
      all.slice(0, 100),
    )
  }
})
