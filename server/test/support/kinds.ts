// The kinds of members of the contract (decisions §1, §2), each with values that must be taken and come back as they are, and values that must be refused.

/** The test values of a member. */
export interface Kind {
  /** Two different values in their canonical form. */
  readonly values: readonly [unknown, unknown]
  /** Minimum and maximum values. */
  readonly edges: readonly unknown[]
  /** Values that are refused, each with the pointer of the error inside the member. */
  readonly wrong: readonly Wrong[]
  /** How lists sort it. */
  readonly order: 'text' | 'number'
  readonly required?: boolean
  /** Whether `""` means unset (decisions §2). */
  readonly emptyIsUnset?: boolean
}
type Wrong = readonly [value: unknown, at: string]

const refused = (...values: unknown[]): Wrong[] => values.map((value) => [value, ''])
const kind = (
  values: readonly [unknown, unknown],
  { edges = [], wrong, order = 'text' }: { edges?: unknown[]; wrong: Wrong[]; order?: 'text' | 'number' },
): Kind => ({ values, edges, wrong, order })

/** A kind without an empty value. */
const valued = (of: Kind): Kind => ({ ...of, emptyIsUnset: true })

/** The same member, required on create. */
export const required = (of: Kind): Kind => ({ ...of, required: true })

const atMost = (most: number) => ({
  edges: ['', '🦊'.repeat(most), 'مرحبا بكم — ‏שלום', ' spaces stay \t\n'],
  wrong: refused('x'.repeat(most + 1), 7, true, {}, ['x']),
})

export const name = kind(['Ann Archer', 'Zoë Ångström'], atMost(500))
export const text = kind(['Two lines\nof a note', 'Ein “anderer” Satz'], {
  edges: ['', 'x'.repeat(200_000)],
  wrong: refused(7, true, {}, ['x']),
})
export const description = kind(['<p>Beans</p>', 'Ground 🫘'], atMost(102_400))
export const url = kind(['https://example.com/a.png', '/relative/b.png'], atMost(2_048))
export const reference = valued(
  kind(['6740a1f2c3d4e5f6a7b8c9d1', 'gid://shop/42'], {
    edges: ['x', 'é'.repeat(64), '00000000-0000-0000-0000-000000000000', 'ABC DEF'],
    wrong: refused('x'.repeat(65), 7, { $oid: '6740a1f2c3d4e5f6a7b8c9d1' }),
  }),
)
/** An id in another system: a name, except that it cannot be empty. */
export const externalId = valued({ ...name, edges: name.edges.filter((value) => value !== '') })
/** An open vocabulary: other words are allowed. */
export const word = (usual: string) =>
  valued(
    kind([usual, 'Another word of ours'], {
      edges: ['x', '字'.repeat(100)],
      wrong: refused('x'.repeat(101), 7, true, []),
    }),
  )
export const decimal = valued(
  kind(['10.00', '-0.5'], {
    order: 'number',
    edges: ['0', '-0.00', '007.10', '999999999999999.999999', '-999999999999999.999999', '1.000000'],
    wrong: refused(10, 10.5, '1234567890123456', '0.1234567', '1.', '.5', '+1', '1e3', '1,5', ' 1', 'NaN', '١٢'),
  }),
)
/** A decimal above zero. */
export const positive: Kind = {
  ...decimal,
  values: ['10.00', '0.5'],
  edges: ['0.000001', '007.10', '999999999999999.999999'],
  wrong: [...decimal.wrong, ...refused('0', '0.00', '-1', '-0.01')],
}
/** One of some words. */
export const choice = ([first, second, ...others]: readonly string[]) =>
  valued(kind([first, second], { edges: others, wrong: refused('another', `${first} `, 7, true, []) }))
export const price = valued(
  kind([12.5, 0.1], {
    order: 'number',
    edges: [0, -1, 1e-7, 123456789.123456, 1e21, 9007199254740991],
    wrong: refused('12.5', true, {}, [1]),
  }),
)
export const quantity = valued(
  kind([12, 2.5], {
    order: 'number',
    edges: [0, -3, 0.000001, 1234.567891],
    wrong: refused('12', 0.0000001, 1.2345678, true),
  }),
)
export const flag = kind([true, false], { wrong: refused('true', 1, 0, {}) })
export const email = valued(
  kind(['ann@example.com', "ann.o'hara+pos@shop.example"], {
    edges: ['a@b.example', `${'a'.repeat(60)}@example.com`],
    wrong: refused('ann', 'ann@', '@example.com', 'ann example@example.com', 7),
  }),
)
export const currency = valued(kind(['EUR', 'USD'], { edges: ['XXX'], wrong: refused('EURO', 'EU', '€', 'E R', 978) }))
export const webUrl = kind(['https://hooks.example.com/a?b=c', 'http://hooks.example.com:8080/x'], {
  wrong: refused('', 'hooks.example.com', '/relative', 'ftp://example.com/x', 'https://', 7),
})
export const dateTime = valued(
  kind(['2026-11-21T09:30:00.000Z', '2024-02-29T23:59:59.999Z'], {
    edges: ['1970-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    wrong: refused(
      '2026-02-30T00:00:00Z',
      '2025-02-29',
      '2026-13-01T00:00:00Z',
      '2026-11-21T24:01:00Z',
      '2026-11-21T09:60:00Z',
      '2026-11-21T09:30:00',
      '21.11.2026',
      'yesterday',

      1795253400,
    ),
  }),
)

/** An array of one kind; the item's errors are the array's, one level down. */
export const list = (of: Kind): Kind =>
  kind([of.values, [of.values[1]]], {
    edges: [[], [of.values[0], of.values[0]], Array.from({ length: 200 }, () => of.values[0])],
    wrong: [
      ...refused('x', 7, {}),
      [[null], '/0'],
      ...of.wrong.map(([value, at]): Wrong => [[of.values[0], value], `/1${at}`]),
      // An item of a list cannot be unset.
      ...(of.emptyIsUnset ? [[[of.values[0], ''], '/1'] as const] : []),
    ],
  })

// Members whose names mean something to JavaScript are data here.
const odd: object = JSON.parse('{"__proto__": {"kept": true}, "constructor": "kept"}')

/** A nested object: its members are typed, unknown ones are kept, and it is replaced as a whole. */
export const object = (members: Record<string, Kind>): Kind => {
  const each = (n: 0 | 1) => Object.fromEntries(Object.entries(members).map(([member, of]) => [member, of.values[n]]))
  const needed = Object.keys(members).filter((member) => members[member]?.required)
  const least = Object.fromEntries(needed.map((member) => [member, members[member]?.values[0]]))
  return kind([each(0), { ...least, ourOwn: { any: ['thing', 1, null] } }], {
    edges: [each(1), least, { ...odd, ...least }],
    wrong: [
      ...refused('x', 7, []),
      ...needed.map(
        (member): Wrong => [
          Object.fromEntries(Object.entries(each(0)).filter(([other]) => other !== member)),
          `/${member}`,
        ],
      ),
      ...Object.entries(members).flatMap(([member, of]) =>
        of.wrong.map(([value, at]): Wrong => [{ ...least, [member]: value }, `/${member}${at}`]),
      ),
    ],
  })
}

/** An object of decimals under names that the caller chooses. */
export const decimals = kind([{ cash: '80.00', credit_card: '20.50' }, { 'gift card': '1' }], {
  edges: [{}, JSON.parse('{"__proto__": "1.00"}')],
  wrong: [...refused('x', 7, []), [{ cash: 80 }, '/cash'], [{ 'a/b~c': '1.' }, '/a~1b~0c']],
})

/** An array of any JSON values. */
export const anythings = kind(
  [
    [{ key: 'a', value: 1 }, 'text', null, 1.5],
    [[[]], { message: 'Hi', createdAt: 'today' }],
  ],
  {
    edges: [[], [false, '', 0, {}]],
    wrong: refused('x', 7, {}),
  },
)
/** Any one JSON value. */
export const anything = kind([{ label: 'Bag', amount: '0.10' }, 'text'], { wrong: [] })
