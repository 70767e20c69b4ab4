// Chooses the columns of a list, and their order.
import { ActionIcon, Button, Checkbox, Divider, Group, Popover, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Resource } from '../../api/resources.ts'
import { useOpenAtOnce } from '../../parts/use-later.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { ColumnButton } from './ColumnButton.tsx'
import { columnsOf } from './columns.ts'

export interface ColumnMenuProps {
  readonly resource: Resource
  readonly chosen: readonly string[]
  readonly setChosen: (names: readonly string[]) => void
  readonly reset: () => void
}

export function ColumnMenu({ resource, chosen, setChosen, reset }: ColumnMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  const computed = chosen.includes('total') || resource.members.some(({ name }) => name === 'summary') ? ['total'] : []
  const all = [...computed, ...columnsOf(resource).map(({ name }) => name)]
  // The name of a record stays the first column.
  const [first = 'name', ...shown] = chosen
  const others = all.filter((name) => name !== 'name' && !chosen.includes(name))
  const put = (names: readonly string[]) => setChosen([first, ...names])

  function swap(n: number, other: number) {
    const next = [...shown]
    ;[next[n], next[other]] = [next[other] as string, next[n] as string]
    put(next)
  }

  return (
    <Popover position="bottom-end" opened={isOpen} onChange={setOpen} trapFocus>
      <Popover.Target>
        <ColumnButton ref={button} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown mah={440} w={270} style={{ overflowY: 'auto' }} aria-label={text.columns}>
        <Stack gap={4}>
          {shown.map((name, n) => (
            <Group key={name} justify="space-between" wrap="nowrap" gap={4}>
              <Checkbox
                checked
                label={labelOf(name)}
                onChange={() => put(shown.filter((one) => one !== name))}
                className="cut"
              />
              <Group gap={0} wrap="nowrap">
                <Move label={text.moveEarlier(labelOf(name))} isOff={n === 0} run={() => swap(n, n - 1)} isUp />
                <Move label={text.moveLater(labelOf(name))} isOff={n === shown.length - 1} run={() => swap(n, n + 1)} />
              </Group>
            </Group>
          ))}
          {others.length > 0 && <Divider my={4} />}
          {others.map((name) => (
            <Checkbox
              key={name}
              checked={false}
              label={labelOf(name)}
              onChange={() => put([...shown, name])}
              styles={{ root: { minHeight: 28 } }}
            />
          ))}
          <Divider my={4} />
          <Button variant="subtle" color="gray" size="xs" onClick={reset}>
            {text.resetColumns}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface MoveProps {
  readonly label: string
  readonly isOff: boolean
  readonly isUp?: boolean
  readonly run: () => void
}

function Move({ label, isOff, isUp = false, run }: MoveProps) {
  return (
    <ActionIcon size={28} aria-label={label} title={label} disabled={isOff} onClick={run}>
      {isUp ? <IconArrowUp size={15} /> : <IconArrowDown size={15} />}
    </ActionIcon>
  )
}
