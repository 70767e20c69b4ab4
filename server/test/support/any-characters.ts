// Texts of any characters, also of halves of those that JavaScript stores as two.
import fc from 'fast-check'

/** As fast-check's `binary`, which makes a list of a million characters: that takes a second and 90 MB. */
export const anyCharacters = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) })
