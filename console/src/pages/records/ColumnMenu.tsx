// Chooses the columns of a list.
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Resource } from '../../api/resources.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { columnsOf } from './columns.ts'

interface ColumnMenuProps {
  readonly resource: Resource
  readonly chosen: readonly string[]
  readonly setChosen: (names: readonly string[]) => void
  readonly reset: () => void
}

export function ColumnMenu({ resource, chosen, setChosen, reset }: ColumnMenuProps) {
  const computed = chosen.includes('total') || resource.members.some(({ name }) => name === 'summary') ? ['total'] : []
  const names = [...computed, ...columnsOf(resource).map(({ name }) => name)].filter((name) => name !== 'name')
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Tooltip label={text.columns}>
          <ActionIcon size={36} variant="default" aria-label={text.columns}>
            <IconColumns3 size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {names.map((name) => {
          const isShown = chosen.includes(name)
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              onChange={() => setChosen(isShown ? chosen.filter((one) => one !== name) : [...chosen, name])}
            >
              {labelOf(name)}
            </Menu.CheckboxItem>
          )
        })}
        <Menu.Divider />
        <Menu.Item onClick={reset}>{text.resetColumns}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
