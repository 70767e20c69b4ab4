// The refusal of keys and members of a suspended company, which has the reason in a member of its own.
import { Problem } from '../../core/problem.ts'

/** 403: the company that the header names is suspended; `reason` is empty if the organization gave none. */
export function companySuspended(header: string, reason: string): Problem {
  const message = reason === '' ? 'The company is suspended.' : `The company is suspended: ${reason}`
  const error = { in: 'header' as const, pointer: header, code: 'suspended', message: 'names a suspended company' }
  return new Problem('permission_denied', message, [{ ...error, ...(reason !== '' && { reason }) }])
}
