// The frame of the pages before sign-in: the logo, and one card in the middle.
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from '../../shell/Logo.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { text as shell } from '../../texts/shell.ts'
import { text } from '../../texts/sign-in.ts'
import classes from './Frame.module.css'

export function Frame({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      <main className={classes.column}>
        <div className={classes.brand}>
          <Logo size={30} />
          {shell.product}
        </div>
        <div className={classes.card}>
          <Title order={1}>{title}</Title>
          <Text c="dimmed" size="sm" component="div" className={classes.hint}>
            {hint}
          </Text>
          {children}
        </div>
      </main>
      <footer className={classes.foot}>
        <Anchor href="/docs" c="dimmed">
          {text.reference}
        </Anchor>
      </footer>
    </div>
  )
}

/** The outline of a form with this number of fields. */
export function FormSkeleton({ fields }: { fields: number }) {
  return (
    <Stack gap="md" aria-busy="true">
      {Array.from({ length: fields }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike.
        <Stack key={field} gap={6}>
          <Skeleton h={13} w={70} />
          <Skeleton h={36} />
        </Stack>
      ))}
      <Skeleton h={36} mt={4} />
    </Stack>
  )
}
