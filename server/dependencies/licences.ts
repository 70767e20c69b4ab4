// `npm run licences`: lists the licence of each package that is shipped, and fails if one is not on the list of allowed ones.
import { type Shipped, shippedPackages } from './shipped.ts'

/** Licences that let anyone use, change and ship a package, and ask for their text and the names of the authors only. */
const allowed = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/** Whether an SPDX expression leaves a choice of allowed licences. Expressions that nest are refused, as unknown ones are. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)))

const line = ({ name, version, license, of }: Shipped) =>
  `${`${name} ${version}`.padEnd(52)} ${(license || 'none').padEnd(20)} ${of}`

// A file of its own is for tests.
const packages = shippedPackages(process.argv[2])
for (const one of packages) console.log(line(one))
console.log(`${'Geist (console/fonts)'.padEnd(52)} ${'OFL-1.1'.padEnd(20)} console`)
const refused = packages.filter(({ license }) => !isAllowed(license))
if (refused.length > 0) {
  console.error(`\nNot on the list of allowed licences (${allowed.join(', ')}):`)
  for (const one of refused) console.error(line(one))
  process.exitCode = 1
}
