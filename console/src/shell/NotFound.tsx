// The page for an address that does not exist or that the user may not open.
import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { text } from '../texts/shell.ts'
import { useLateHeading } from './kept-focus.ts'

export function NotFound() {
  useEffect(() => {
    document.title = `${text.notFound} · ${text.product}`
  }, [])
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
