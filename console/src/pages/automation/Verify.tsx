// How a receiver verifies calls: the headers, and programs to copy.
import { Alert, Code, ScrollArea, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '../../parts/Card.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { text } from '../../texts/automation.ts'
import { snippets } from './snippets.ts'

const { verify: words } = text

const headers = [
  ['webhook-id', words.id],
  ['webhook-timestamp', words.timestamp],
  ['webhook-signature', words.signature],
  ['x-api-key', words.apiKey],
] as const

export function Verify({ hasSecret }: { hasSecret: boolean }) {
  const [language, setLanguage] = useState<keyof typeof snippets>('node')
  return (
    <Stack gap="lg" maw={860}>
      {!hasSecret && (
        <Alert color="yellow" icon={<IconKey size={18} />}>
          {words.noSecret}
        </Alert>
      )}
      <Card title={words.title}>
        <Text size="sm" c="dimmed" mb="md">
          {words.hint}
        </Text>
        <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': words.headers }}>
          <Table fz="sm" verticalSpacing="xs" aria-label={words.headers} miw={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.header}</Table.Th>
                <Table.Th>{words.meaning}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {headers.map(([name, meaning]) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    <Code style={{ whiteSpace: 'nowrap' }}>{name}</Code>
                  </Table.Td>
                  <Table.Td>{meaning}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      </Card>
      <Card
        title={words.receiver}
        actions={
          <SegmentedControl
            aria-label={words.language}
            value={language}
            onChange={(next) => setLanguage(next as keyof typeof snippets)}
            data={[
              { value: 'node', label: 'Node.js' },
              { value: 'python', label: 'Python' },
            ]}
          />
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          {words.receiverHint}
        </Text>
        <CopyValue value={snippets[language]} label={words.receiver} block />
      </Card>
    </Stack>
  )
}
