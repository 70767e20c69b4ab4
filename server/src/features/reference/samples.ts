// Samples of how to call each operation, which are added to the document that is served: programs need none of them.
import { readFileSync } from 'node:fs'
import type { ApiDocument } from '../../http/openapi/document.ts'

/** How the SDK calls each operation. `npm run sdk` writes it from openapi.json, so it is added to what is served, not to that file. */
const samples: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('samples.json', import.meta.url), 'utf8'),
)

/** A document with the samples of the SDK, which Scalar shows beside curl, and curl without optional parameters. */
export const withSamples = ({ paths, components, ...document }: ApiDocument): object => ({
  ...document,
  paths: mapped(paths, (methods) =>
    mapped(methods, (operation) => {
      const { operationId, parameters } = operation as Operation
      const source = samples[operationId]
      return {
        ...operation,
        ...(parameters && { parameters: parameters.map(withoutSample) }),
        ...(source !== undefined && { 'x-codeSamples': [{ ...sampleOfSdk, source }] }),
      }
    }),
  ),
  components: { ...components, parameters: mapped(components.parameters, withoutSample) },
})
const sampleOfSdk = { lang: 'JavaScript', label: 'SDK' }

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
}

type Parameter = { readonly [member: string]: unknown }

/**
 * A parameter that Scalar leaves out of its samples if it is optional. Otherwise they send every filter of a list without a value,
 * and the same `Idempotency-Key` with each write, so that the second is refused.
 */
function withoutSample(parameter: Parameter): Parameter {
  const isSent = '$ref' in parameter || parameter.required === true
  return isSent ? parameter : { ...parameter, examples: { default: { 'x-disabled': true } } }
}

const mapped = <T, Changed>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => Changed,
): Record<string, Changed> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
