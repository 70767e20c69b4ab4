// The public view of an extension: as typed, and as the public list shows it now.
import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { organizationQuery, useOrganizationId } from '../../api/organization.ts'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { PublishedExtension } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import type { Values } from '../../parts/draft.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { text } from '../../texts/extensions.ts'
import { picturesOf } from './ExtensionForm.tsx'
import classes from './extensions.module.css'
import { ListingView } from './ListingView.tsx'

interface PreviewProps {
  /** Undefined for an extension that does not exist yet. */
  readonly id: string | undefined
  readonly typed: Values
  readonly isDirty: boolean
}

export function Preview({ id, typed, isDirty }: PreviewProps) {
  const [shown, setShown] = useState<'typed' | 'published'>('typed')
  const { data: organization } = useQuery(organizationQuery(useOrganizationId()))
  return (
    <aside className={classes.preview}>
      <Card
        title={text.preview}
        actions={
          id !== undefined && (
            <SegmentedControl
              size="xs"
              aria-label={text.previewOf}
              value={shown}
              onChange={(value) => setShown(value as 'typed' | 'published')}
              data={[
                { value: 'typed', label: text.asTyped },
                { value: 'published', label: text.published },
              ]}
            />
          )
        }
      >
        {shown === 'published' && id !== undefined ? (
          <Published id={id} />
        ) : (
          <>
            <ListingView
              listing={{ ...typed, gallery: picturesOf(typed.gallery) }}
              organization={organization?.record.name ?? ''}
            />
            {(isDirty || typed.status !== 'public') && (
              <Text size="xs" c="dimmed" mt="md">
                {text.differs}
              </Text>
            )}
          </>
        )}
      </Card>
    </aside>
  )
}

function Published({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['published-extension', id],
    queryFn: ({ signal }) => get<PublishedExtension>('person', `/v1/public/published-extension/${id}`, { signal }),
    staleTime: 0,
  })
  if (error)
    return asProblem(error).status === 404 ? (
      <Empty icon={IconEyeOff} title={text.notPublic} hint={text.notPublicHint} />
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    )
  if (data === undefined) return <Skeleton h={240} />
  return (
    <>
      <ListingView listing={data} organization={data.organization.name} />
      <Text size="xs" c="dimmed" mt="md">
        {text.isSame}
      </Text>
    </>
  )
}
