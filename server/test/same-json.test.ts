// Two values are the same JSON whatever the order of their members, so that an update that changes nothing is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameJson } from '../src/core/same-json.ts'

const parse = JSON.parse

test('the order of members and members that are undefined do not count, also inside lists', () => {
  for (const [one, other] of [
    [1, 1],
    [null, null],
    [undefined, undefined],
    [[], []],
    [{}, { a: undefined }],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [
      { b: undefined, a: 1 },
      { a: 1, c: undefined },
    ],
    [{ a: 0 }, parse('{"a":-0}')],
    [parse('[{"a":{"b":1,"c":[2]},"d":null}]'), parse('[{"d":null,"a":{"c":[2],"b":1}}]')],
    [parse('{"__proto__":{"x":1},"constructor":2}'), parse('{"constructor":2,"__proto__":{"x":1}}')],
  ])
    for (const [left, right] of [
      [one, other],
      [other, one],
    ])
      assert.ok(isSameJson(left, right), JSON.stringify([left, right]))
})

test('values of another type, list order, length or member are different', () => {
  for (const [one, other] of [
    [1, '1'],
    [0, false],
    [null, undefined],
    [null, {}],
    [[], {}],
    [[1], { 0: 1 }],
    [{ length: 0 }, []],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { b: 1 }],
    [{ a: null }, {}],
    [
      { a: 1, b: undefined },
      { b: 1, a: undefined },
    ],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [{ toString: 1 }, {}],
    [{}, parse('{"__proto__":{}}')],
    [{ a: 1 }, parse('{"__proto__":1}')],
    [parse('{"__proto__":{"x":1}}'), parse('{"__proto__":{"x":2}}')],
  ])
    for (const [left, right] of [
      [one, other],
      [other, one],
    ])
      assert.ok(!isSameJson(left, right), JSON.stringify([left, right]))
})
