// The columns of a key's requests, and the shell command that repeats one: with a placeholder for the key, which is not known here.
import { ActionIcon, Badge, CopyButton, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconTerminal2 } from '@tabler/icons-react'
import type { KeyRequest } from '../../api/schemas.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { dateTime } from '../../parts/format.ts'
import { text } from '../../texts/key-requests.ts'

/** The command; the shell puts the key in from `CASHWRAP_KEY`, and the person what the log leaves out. */
function curlOfRequest({ method, path }: KeyRequest): string {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
  return [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`} '${window.location.origin}${path.replaceAll("'", '%27')}'`,
    '-H "x-api-key: $CASHWRAP_KEY"',
    ...(hasBody ? ["-H 'content-type: application/json'", "-d '{}'"] : []),
  ].join(' \\\n  ')
}

const colorOf = (status: number | undefined): string => {
  if (status === undefined) return 'gray'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'teal'
}

export const requestColumns = (timezone: string | undefined): Column<KeyRequest>[] => [
  {
    key: 'path',
    title: text.request,
    width: 340,
    render: ({ method, path }) => (
      <Text truncate ff="monospace" size="xs" title={`${method} ${path}`}>
        <b>{method}</b> {path}
      </Text>
    ),
  },
  {
    key: 'status',
    title: text.status,
    width: 84,
    render: ({ status }) => <Badge color={colorOf(status)}>{status ?? text.left}</Badge>,
  },
  {
    key: 'ms',
    title: text.duration,
    width: 96,
    align: 'right',
    render: ({ ms }) => text.ms(ms),
  },
  {
    key: 'at',
    title: text.time,
    width: 190,
    render: ({ at }) => <time dateTime={at}>{dateTime(at, timezone)}</time>,
  },
  {
    key: 'requestId',
    title: text.requestId,
    width: 280,
    render: ({ requestId }) => (
      <Text truncate ff="monospace" size="xs" title={requestId}>
        {requestId}
      </Text>
    ),
  },
  {
    key: 'actions',
    title: text.copyCurl,
    isTitleHidden: true,
    width: 60,
    align: 'right',
    render: (request) => <CopyCurl of={request} />,
  },
]

function CopyCurl({ of: request }: { of: KeyRequest }) {
  return (
    <CopyButton value={curlOfRequest(request)} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? text.copied : text.copyCurl}>
          <ActionIcon
            size={24}
            onClick={copy}
            aria-label={`${text.copyCurl}: ${request.method} ${request.path}`}
            color={copied ? 'teal' : 'gray'}
          >
            {copied ? <IconCheck size={16} /> : <IconTerminal2 size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
