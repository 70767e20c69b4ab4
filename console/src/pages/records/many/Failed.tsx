// The records that a change of many could not change, each with its reason.
import { Button, Modal, Stack, Table, Text } from '@mantine/core'
import { useTitleOf } from '../../../parts/record-title.ts'
import { text } from '../../../texts/many.ts'
import type { Outcome } from './bulk-changes.ts'

export function Failed({ many, outcome, close }: { many: string; outcome: Outcome; close: () => void }) {
  const titleOf = useTitleOf()
  const { phase, done, failed, stopped } = outcome
  return (
    <Modal
      opened
      onClose={close}
      title={stopped === undefined ? text.failedTitle(failed.length, text.outcomes[phase]) : text.stoppedTitle}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{stopped === undefined ? text.failedHint : `${text.stopped(done.length)} ${stopped}`}</Text>
        {failed.length > 0 && (
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.record}</Table.Th>
                <Table.Th>{text.reason}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {failed.map(({ record, message }) => (
                <Table.Tr key={record.id}>
                  <Table.Td className="name">
                    <bdi>{titleOf(many, record)}</bdi>
                  </Table.Td>
                  <Table.Td>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Button ml="auto" onClick={close} data-autofocus>
          {text.close}
        </Button>
      </Stack>
    </Modal>
  )
}
