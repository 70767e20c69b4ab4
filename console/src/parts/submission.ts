// The sending of what was typed: whether it is under way, what the server found wrong with it, and the key under which it is done once.
import { useRef, useState } from 'react'
import { type ApiProblem, asProblem } from '../api/problem.ts'
import { newIdempotencyKey } from '../api/request.ts'

interface Submission {
  readonly isBusy: boolean
  /** What was wrong with the last try. */
  readonly problem: ApiProblem | undefined
  readonly forget: () => void
  /** Sends; `key` is the same for each try of which it is not known what became of the one before. */
  readonly run: (send: (key: string) => Promise<unknown>) => Promise<void>
}

export function useSubmission(): Submission {
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newIdempotencyKey())

  async function run(send: (key: string) => Promise<unknown>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await send(key.current)
      key.current = newIdempotencyKey()
    } catch (error) {
      const found = asProblem(error)
      setProblem(found)
      if (isSettled(found)) key.current = newIdempotencyKey()
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, problem, forget: () => setProblem(undefined), run }
}

/** Whether nothing was done, and nothing is on its way: another body under the same key would be refused. */
const isSettled = ({ status, code }: ApiProblem): boolean =>
  status >= 400 && status < 500 && ![401, 403, 429].includes(status) && code !== 'idempotency_in_progress'
