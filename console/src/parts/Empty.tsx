// An empty state: what would be here, and what to do next.
import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export function Empty({
  icon: Sign,
  title,
  hint,
  children,
}: {
  icon: Icon
  title: string
  hint?: ReactNode
  children?: ReactNode
}) {
  return (
    <Stack align="center" gap={6} py={64} px="md" ta="center">
      <ThemeIcon size={44} radius="lg" variant="light" color="gray" mb={6}>
        <Sign size={22} stroke={1.6} />
      </ThemeIcon>
      <Title order={2}>{title}</Title>
      {hint && (
        <Text c="dimmed" size="sm" maw={420}>
          {hint}
        </Text>
      )}
      {children && <div style={{ marginTop: 12 }}>{children}</div>}
    </Stack>
  )
}
