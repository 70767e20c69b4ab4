// Asks for the code of a second factor once the server says that the account has one.
import { useState } from 'react'
import type { ApiProblem } from '../api/problem.ts'

interface SecondFactorEntry {
  readonly isAsked: boolean
  readonly code: string
  readonly setCode: (code: string) => void
  /** What the request sends besides. */
  readonly member: { readonly code?: string }
  /** Whether a refusal is about the code: then it is asked for. `isWrong`: there was one, and it was refused. */
  readonly ask: (problem: ApiProblem) => { readonly isWrong: boolean } | undefined
  readonly forget: () => void
}

export function useSecondFactor(): SecondFactorEntry {
  const [code, setCode] = useState<string>()
  return {
    isAsked: code !== undefined,
    code: code ?? '',
    setCode,
    member: code === undefined ? {} : { code },
    ask: ({ code: refusal }) => {
      if (refusal === 'invalid_second_factor') return { isWrong: true }
      if (refusal !== 'second_factor_required') return undefined
      setCode('')
      return { isWrong: false }
    },
    forget: () => setCode(undefined),
  }
}
