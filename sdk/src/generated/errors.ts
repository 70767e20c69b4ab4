// Written by `npm run sdk` from openapi.sdk.json.
// A class for each code of an error.
import { ApiError } from '../errors.ts'
import type { Problem } from './types.ts'

/** The code `validation_failed`. */
export class ValidationFailedError extends ApiError {
  override name = 'ValidationFailedError'
  declare readonly code: 'validation_failed'
}

/** The code `malformed_body`. */
export class MalformedBodyError extends ApiError {
  override name = 'MalformedBodyError'
  declare readonly code: 'malformed_body'
}

/** The code `too_many_items`. */
export class TooManyItemsError extends ApiError {
  override name = 'TooManyItemsError'
  declare readonly code: 'too_many_items'
}

/** The code `missing_key`. */
export class MissingKeyError extends ApiError {
  override name = 'MissingKeyError'
  declare readonly code: 'missing_key'
}

/** The code `invalid_key`. */
export class InvalidKeyError extends ApiError {
  override name = 'InvalidKeyError'
  declare readonly code: 'invalid_key'
}

/** The code `not_signed_in`. */
export class NotSignedInError extends ApiError {
  override name = 'NotSignedInError'
  declare readonly code: 'not_signed_in'
}

/** The code `invalid_credentials`. */
export class InvalidCredentialsError extends ApiError {
  override name = 'InvalidCredentialsError'
  declare readonly code: 'invalid_credentials'
}

/** The code `second_factor_required`. */
export class SecondFactorRequiredError extends ApiError {
  override name = 'SecondFactorRequiredError'
  declare readonly code: 'second_factor_required'
}

/** The code `invalid_second_factor`. */
export class InvalidSecondFactorError extends ApiError {
  override name = 'InvalidSecondFactorError'
  declare readonly code: 'invalid_second_factor'
}

/** The code `invalid_passkey`. */
export class InvalidPasskeyError extends ApiError {
  override name = 'InvalidPasskeyError'
  declare readonly code: 'invalid_passkey'
}

/** The code `invalid_sso`. */
export class InvalidSsoError extends ApiError {
  override name = 'InvalidSsoError'
  declare readonly code: 'invalid_sso'
}

/** The code `invalid_link`. */
export class InvalidLinkError extends ApiError {
  override name = 'InvalidLinkError'
  declare readonly code: 'invalid_link'
}

/** The code `conflicting_credentials`. */
export class ConflictingCredentialsError extends ApiError {
  override name = 'ConflictingCredentialsError'
  declare readonly code: 'conflicting_credentials'
}

/** The code `permission_denied`. */
export class PermissionDeniedError extends ApiError {
  override name = 'PermissionDeniedError'
  declare readonly code: 'permission_denied'
}

/** The code `second_factor_missing`. */
export class SecondFactorMissingError extends ApiError {
  override name = 'SecondFactorMissingError'
  declare readonly code: 'second_factor_missing'
}

/** The code `key_not_bound`. */
export class KeyNotBoundError extends ApiError {
  override name = 'KeyNotBoundError'
  declare readonly code: 'key_not_bound'
}

/** The code `plan_limit`. */
export class PlanLimitError extends ApiError {
  override name = 'PlanLimitError'
  declare readonly code: 'plan_limit'
}

/** The code `not_found`. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
  declare readonly code: 'not_found'
}

/** The code `method_not_allowed`. */
export class MethodNotAllowedError extends ApiError {
  override name = 'MethodNotAllowedError'
  declare readonly code: 'method_not_allowed'
}

/** The code `request_timeout`. */
export class RequestTimeoutError extends ApiError {
  override name = 'RequestTimeoutError'
  declare readonly code: 'request_timeout'
}

/** The code `conflict`. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
  declare readonly code: 'conflict'
}

/** The code `duplicate_item`. */
export class DuplicateItemError extends ApiError {
  override name = 'DuplicateItemError'
  declare readonly code: 'duplicate_item'
}

/** The code `version_mismatch`. */
export class VersionMismatchError extends ApiError {
  override name = 'VersionMismatchError'
  declare readonly code: 'version_mismatch'
}

/** The code `idempotency_conflict`. */
export class IdempotencyConflictError extends ApiError {
  override name = 'IdempotencyConflictError'
  declare readonly code: 'idempotency_conflict'
}

/** The code `idempotency_in_progress`. */
export class IdempotencyInProgressError extends ApiError {
  override name = 'IdempotencyInProgressError'
  declare readonly code: 'idempotency_in_progress'
}

/** The code `payload_too_large`. */
export class PayloadTooLargeError extends ApiError {
  override name = 'PayloadTooLargeError'
  declare readonly code: 'payload_too_large'
}

/** The code `unsupported_media_type`. */
export class UnsupportedMediaTypeError extends ApiError {
  override name = 'UnsupportedMediaTypeError'
  declare readonly code: 'unsupported_media_type'
}

/** The code `rate_limited`. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError'
  declare readonly code: 'rate_limited'
}

/** The code `headers_too_large`. */
export class HeadersTooLargeError extends ApiError {
  override name = 'HeadersTooLargeError'
  declare readonly code: 'headers_too_large'
}

/** The code `internal_error`. */
export class InternalErrorError extends ApiError {
  override name = 'InternalErrorError'
  declare readonly code: 'internal_error'
}

/** The code `unavailable`. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError'
  declare readonly code: 'unavailable'
}

const byCode: Readonly<Record<string, typeof ApiError>> = {
  validation_failed: ValidationFailedError,
  malformed_body: MalformedBodyError,
  too_many_items: TooManyItemsError,
  missing_key: MissingKeyError,
  invalid_key: InvalidKeyError,
  not_signed_in: NotSignedInError,
  invalid_credentials: InvalidCredentialsError,
  second_factor_required: SecondFactorRequiredError,
  invalid_second_factor: InvalidSecondFactorError,
  invalid_passkey: InvalidPasskeyError,
  invalid_sso: InvalidSsoError,
  invalid_link: InvalidLinkError,
  conflicting_credentials: ConflictingCredentialsError,
  permission_denied: PermissionDeniedError,
  second_factor_missing: SecondFactorMissingError,
  key_not_bound: KeyNotBoundError,
  plan_limit: PlanLimitError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  duplicate_item: DuplicateItemError,
  version_mismatch: VersionMismatchError,
  idempotency_conflict: IdempotencyConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  rate_limited: RateLimitedError,
  headers_too_large: HeadersTooLargeError,
  internal_error: InternalErrorError,
  unavailable: UnavailableError,
}

/** The error of a response, in the class of its code. */
export function errorOf(status: number, headers: Headers, problem: Partial<Problem>): ApiError {
  const Class = byCode[problem.code ?? ''] ?? ApiError
  return new Class(status, headers, problem)
}
