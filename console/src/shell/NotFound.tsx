// The page for an address that does not exist or that the user may not open.
import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { text } from '../texts/shell.ts'
import { useLateHeading } from './kept-focus.ts'
import { usePageTitle } from './page-title.ts'

export function NotFound() {
  usePageTitle(text.notFound)
  useLateHeading()
  return (
    <Stack align="center" justify="center" gap="xs" mih="60vh" ta="center" p="md">
      <Title order={1}>{text.notFound}</Title>
      <Text c="dimmed" maw={420}>
        {text.notFoundHint}
      </Text>
      <Button component={Link} to="/" variant="default" mt="sm">
        {text.backHome}
      </Button>
    </Stack>
  )
}
