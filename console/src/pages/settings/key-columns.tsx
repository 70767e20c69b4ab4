// The columns of the list of keys.
import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import { IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import type { Key } from '../../api/schemas.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { ago, date, dateTime } from '../../parts/format.ts'
import { text } from '../../texts/keys.ts'
import { permissions, shownKey } from './key.ts'
import { resourcesInWords } from './key-resources.ts'

/** A short time, with the full time on hover. */
function Time({ value, timezone, isAgo = false }: { value: string; timezone: string | undefined; isAgo?: boolean }) {
  return (
    <time dateTime={value} title={dateTime(value, timezone)}>
      {isAgo ? ago(value) : date(value, timezone)}
    </time>
  )
}

function Ends({ of: { expiresAt, deleteAt }, timezone }: { of: Key; timezone: string | undefined }) {
  if (deleteAt !== undefined)
    return (
      <Badge color="yellow" title={text.replacedHint(dateTime(deleteAt, timezone))}>
        {text.replaced(ago(deleteAt))}
      </Badge>
    )
  if (expiresAt === undefined) return <span className="muted">{text.endsNever}</span>
  if (isEnded(expiresAt)) return <Badge color="gray">{text.expired}</Badge>
  return <Time value={expiresAt} timezone={timezone} />
}

const isEnded = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= Date.now()

/** What a key may do, in words; of one that is limited to resources, also to how many. */
export function permissionsOf({ permissions: has, resources }: Key): string {
  const all = resources === undefined ? text.everything : text.allPermissions
  const some = permissions.filter((one) => has.includes(one)).map((one) => text.allows[one][0])
  const allowed = has.length === permissions.length ? all : some.join(', ')
  return resources === undefined ? allowed : text.inSome(allowed, resources.length)
}

interface KeyActions {
  readonly rotate: (key: Key) => void
  readonly remove: (key: Key) => void
}

/** Without a column of actions for users who may not change keys. */
export const keyColumns = (timezone: string | undefined, actions: KeyActions | false): Column<Key>[] => [
  { key: 'name', title: text.name, width: 160, render: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'key',
    title: text.key,
    width: 168,
    render: (key) => (
      <Text span ff="monospace" size="xs">
        {shownKey(key)}
      </Text>
    ),
  },
  {
    key: 'permissions',
    title: text.permissions,
    width: 176,
    render: (key) => <span title={key.resources && resourcesInWords(key.resources)}>{permissionsOf(key)}</span>,
  },
  {
    key: 'createdAt',
    title: text.created,
    width: 116,
    isTitled: true,
    render: ({ createdAt }) => <Time value={createdAt} timezone={timezone} />,
  },
  {
    key: 'lastUsedAt',
    title: text.lastUsed,
    width: 136,
    isTitled: true,
    render: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? (
        <span className="muted">{text.never}</span>
      ) : (
        <Time value={lastUsedAt} timezone={timezone} isAgo />
      ),
  },
  { key: 'ends', title: text.ends, width: 150, render: (key) => <Ends of={key} timezone={timezone} /> },
  ...(actions ? [actionColumn(actions)] : []),
]

const actionColumn = (actions: KeyActions): Column<Key> => ({
  key: 'actions',
  title: text.actionsTitle,
  isTitleHidden: true,
  width: 60,
  align: 'right',
  render: (key) => <KeyMenu of={key} {...actions} />,
})

function KeyMenu({ of: key, rotate, remove }: KeyActions & { of: Key }) {
  return (
    <Menu width={180}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={text.actions(key.name)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          onClick={() => rotate(key)}
          disabled={key.deleteAt !== undefined || isEnded(key.expiresAt)}
        >
          {text.rotate}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => remove(key)}>
          {text.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
