// Certificates for receivers in tests, by openssl: good ones, and those that a caller has to refuse.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Certificate {
  readonly key: string
  readonly cert: string
}

interface Certificates {
  /** The authority of all except `selfSigned`. */
  readonly ca: string
  readonly good: Certificate
  readonly expired: Certificate
  readonly early: Certificate
  /** For a name other than 127.0.0.1. */
  readonly misnamed: Certificate
  readonly selfSigned: Certificate
}

const settings = `
[ca]
default_ca = authority
[authority]
new_certs_dir = .
database = index
serial = serial
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[here]
subjectAltName = IP:127.0.0.1
[elsewhere]
subjectAltName = DNS:elsewhere.example.com
`
const past = '20200101000000Z'
const present = '20210101000000Z'
const future = '20990101000000Z'

/** Creates them again. */
export function makeCertificates(): Certificates {
  const cwd = mkdtempSync(join(tmpdir(), 'cashwrap-certificates-'))
  const openssl = (...options: string[]) =>
    execFileSync('openssl', options, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', name]
  const signed = (name: string, from: string, until: string, extensions: string): Certificate => {
    openssl('req', '-new', '-subj', `/CN=${name}`, ...newKey(`${name}.key`), '-out', `${name}.csr`)
    const dates = ['-startdate', from, '-enddate', until]
    const issue = ['ca', '-batch', '-notext', '-config', 'settings', '-in', `${name}.csr`, '-out', `${name}.pem`]
    openssl(...issue, '-extensions', extensions, ...dates)
    return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
  }
  try {
    writeFileSync(join(cwd, 'settings'), settings)
    writeFileSync(join(cwd, 'index'), '')
    writeFileSync(join(cwd, 'serial'), '01')
    openssl('req', '-x509', '-subj', '/CN=authority', ...newKey('ca.key'), '-out', 'ca.pem', '-days', '2')
    const own = ['-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-out', 'own.pem']
    openssl('req', '-x509', '-subj', '/CN=own', ...newKey('own.key'), ...own)
    return {
      ca: read('ca.pem'),
      good: signed('good', present, future, 'here'),
      expired: signed('expired', past, present, 'here'),
      early: signed('early', future, '20991231000000Z', 'here'),
      misnamed: signed('misnamed', present, future, 'elsewhere'),
      selfSigned: { key: read('own.key'), cert: read('own.pem') },
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
