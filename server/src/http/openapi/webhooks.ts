// The webhooks of the document: the requests that the service makes itself, with their headers and what their responses mean.
import type { JsonSchema } from '../../core/json-schema.ts'
import type { MakeContent } from './examples.ts'

/** A webhook in the reference. */
export interface WebhookDocument {
  readonly type: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly schema: JsonSchema
  readonly example: unknown
}

const header = (name: string, description: string, example: string, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema: { type: 'string', examples: [example] },
})

/** The headers of webhooks, by their names among the components. */
export const webhookParameters = {
  'Webhook-Id': header(
    'webhook-id',
    'The id of the event, the same on each attempt: store it, and skip an event that you have.',
    '6b021293a0929c80f3d0db9e',
    true,
  ),
  'Webhook-Timestamp': header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. Refuse attempts that are older than five minutes.',
    '1795297939',
    true,
  ),
  'Webhook-Signature': header(
    'webhook-signature',
    'The HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64, after `v1,` (Standard Webhooks). The key is the `apiKey` of the trigger: what follows `whsec_`, decoded from base64, or else its bytes. Absent if the trigger has no `apiKey`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  'Webhook-Api-Key': header(
    'x-api-key',
    'The `apiKey` of the trigger, for receivers that can only compare a header.',
    'whsec_…',
  ),
  'Webhook-Traceparent': header(
    'traceparent',
    'The trace of the request that caused the event (W3C Trace Context), if it had one.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
}

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** What the service makes of a receiver's response, by names among the components. */
export const webhookResponses = {
  WebhookReceived: {
    description: 'The receiver has the event. It answers within 15 seconds, and does its work afterwards.',
  },
  WebhookRefused: { description: 'Switches the trigger off.' },
  WebhookFailed: {
    description:
      'The attempt failed, as it does without a response or with a redirect. It is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.',
    headers: {
      'Retry-After': {
        description: 'Seconds, or a date: nothing is sent to the trigger until then, for at most 24 hours.',
        schema: { type: 'string', examples: ['120'] },
      },
    },
  },
}
const response = (name: keyof typeof webhookResponses) => ({ $ref: `#/components/responses/${name}` })

/** The Path Item Object of a webhook. */
export const webhook = ({ tag, operationId, summary, schema, example }: WebhookDocument, content: MakeContent) => ({
  post: {
    tags: [tag],
    operationId,
    summary,
    security: [],
    parameters,
    requestBody: { required: true, content: content({ schema, example }) },
    responses: {
      '2XX': response('WebhookReceived'),
      410: response('WebhookRefused'),
      default: response('WebhookFailed'),
    },
  },
})
