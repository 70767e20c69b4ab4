// The settings of an object store for files of attachments: a bucket that speaks the protocol of S3, and the key to it.
import { OperatorError } from '../../core/operator-error.ts'

/** An object store and how it is reached. */
export interface ObjectStoreSettings {
  readonly bucket: string
  /** Before the names of all objects: empty, or ending in a slash. */
  readonly prefix: string
  /** Its origin; undefined: Amazon's, in the region. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Whether URLs name the bucket in the path instead of the host. */
  readonly isPathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

const form = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1'
const parameters = ['endpoint', 'region', 'pathStyle']

const isRegion = (text: string): boolean => /^[a-z0-9-]{1,40}$/.test(text)
const regionExpected = 'at most 40 lower-case letters, digits and hyphens, such as eu-central-1'

/** Reads the settings; undefined if files are in the database. Throws an OperatorError that names the variable. */
export function objectStoreOf(environment: NodeJS.ProcessEnv): ObjectStoreSettings | undefined {
  const { CASHWRAP_FILES, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (AWS_REGION && !isRegion(AWS_REGION))
    throw new OperatorError(`AWS_REGION is ${JSON.stringify(AWS_REGION)}; it must be ${regionExpected}.`)
  if (!CASHWRAP_FILES) return undefined
  const url = URL.parse(CASHWRAP_FILES)
  // The value is not shown: a key may have been written into it.
  if (url?.protocol !== 's3:' || url.username + url.password + url.port + url.hash !== '')
    throw new OperatorError(`CASHWRAP_FILES must be of the form ${form}, without a key.`)
  const { hostname: bucket, searchParams } = url
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new OperatorError('CASHWRAP_FILES must name a bucket: 3 to 63 lower-case letters, digits, dots and hyphens.')
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (!/^([\w.-]+(\/[\w.-]+)*)?$/.test(prefix) || prefix.length > 200)
    throw new OperatorError(
      'The prefix in CASHWRAP_FILES must have at most 200 letters, digits, and any of - _ . between slashes.',
    )
  const others = [...searchParams.keys()].filter((name) => !parameters.includes(name))
  if (others.length > 0)
    throw new OperatorError(`CASHWRAP_FILES has ${others[0]}; it may have ${parameters.join(', ')}.`)
  const endpoint = endpointOf(searchParams.get('endpoint'))
  // No certificate is valid for a bucket with dots in front of a host name.
  const isHostStyle = endpoint === undefined && !bucket.includes('.')
  const pathStyle = searchParams.get('pathStyle') ?? (isHostStyle ? '0' : '1')
  if (!/^[01]$/.test(pathStyle)) throw new OperatorError('pathStyle in CASHWRAP_FILES must be 1 or 0.')
  const region = searchParams.get('region') || AWS_REGION || 'us-east-1'
  if (!isRegion(region)) throw new OperatorError(`The region in CASHWRAP_FILES must be ${regionExpected}.`)
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    isPathStyle: pathStyle === '1',
    accessKeyId: required('AWS_ACCESS_KEY_ID', AWS_ACCESS_KEY_ID),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY', AWS_SECRET_ACCESS_KEY),
    sessionToken: AWS_SESSION_TOKEN || undefined,
  }
}

function endpointOf(text: string | null): string | undefined {
  if (!text) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new OperatorError(
      'endpoint in CASHWRAP_FILES must be an http(s) URL with only a host and an optional port, such as https://s3.example.com.',
    )
  return url.origin
}

/** The value is not shown. */
function required(name: string, value: string | undefined): string {
  const text = value?.trim()
  if (!text) throw new OperatorError(`${name} is not set; it is required with CASHWRAP_FILES.`)
  return text
}
