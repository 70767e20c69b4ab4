// Shown in place of a page whose record is loading, does not exist, or could not be read.
import { asProblem } from '../api/problem.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { Failure } from './Failure.tsx'
import { PageBody } from './PageBody.tsx'
import { PageSkeleton } from './Skeletons.tsx'

/** `error` is null as long as nothing has failed. */
export function PageWaiting({ error, retry }: { error: unknown; retry: () => unknown }) {
  if (!error) return <PageSkeleton />
  if (asProblem(error).status === 404) return <NotFound />
  return (
    <PageBody size="narrow">
      <Failure isPage error={error} retry={() => void retry()} />
    </PageBody>
  )
}
