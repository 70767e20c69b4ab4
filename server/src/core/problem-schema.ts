// The parts of a problem as the reference shows them: the code, and one wrong member.
import { type JsonSchema, object, string } from './json-schema.ts'
import { problemStatus, reasons } from './problem.ts'
import { rules } from './rules.ts'

/** The code of a problem. Every code that there can be under /v1 is listed. */
export const codeSchema: JsonSchema = {
  title: 'ProblemCode',
  description: 'What went wrong, as a code for programs. More codes may be added.',
  type: 'string',
  enum: Object.keys(problemStatus),
}

/** Why the service refuses a request whose members are right. */
export const reasonSchema: JsonSchema = {
  title: 'ProblemReason',
  description:
    'With 503 and 429, with a 409 about a rule of the shop, and with a 403 for a signed-in user: why, as a word for programs. More words may be added.',
  type: 'string',
  enum: [...Object.keys(reasons), ...rules],
}

/** One wrong member of a request. */
export const memberErrorSchema: JsonSchema = object(
  'MemberError',
  {
    in: { type: 'string', enum: ['body', 'query', 'header', 'path'], description: 'The part of the request.' },
    pointer: string('JSON pointer (RFC 6901) in the body, or the name of the parameter.'),
    code: string('What is wrong: `required`, `type`, `format`, `unknown` …'),
    message: string('Explains the error in a sentence.'),
    resource: string('With `plan_limit`: what is limited, such as `outlets` or `users`.'),
    limit: {
      type: 'number',
      description:
        'With `plan_limit`: how many the plan allows. With `minLength`, `maxLength`, `minItems`, `maxItems`, `minimum`, `exclusiveMinimum` and `maximum`: the bound, if the schema has it, and for amounts, quantities and rates. With `left`: what is left. With `stock` at a line of a sale: the stock.',
    },
    count: { type: 'integer', description: 'With `plan_limit`: how many there are.' },
    format: string(
      'The format that the member must have, if it has another one: `email`, `uri`, `date`, `date-time` …',
    ),
    id: string('With `open_session`: the id of the session that is open at the station.'),
    reason: string('With `suspended`: why the company is suspended, if a reason was given.'),
  },
  ['in', 'pointer', 'code', 'message'],
)
