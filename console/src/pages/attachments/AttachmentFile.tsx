// The file of an attachment: shown, downloaded, replaced, removed, or dropped here; also as the beginning of a new attachment.
import { Anchor, Button, Group } from '@mantine/core'
import { IconDownload, IconExternalLink, IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import type { AttachmentFile as FileFacts } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { FileDrop } from '../../parts/FileDrop.tsx'
import { bytes, useFormat } from '../../parts/format.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/files.ts'
import classes from './AttachmentFile.module.css'
import { useAttachmentFile, useFileUpload } from './file.ts'

/** Content types that browsers show; the server has all others saved. */
const isPicture = ({ contentType }: FileFacts) => /^image\/(png|jpeg|gif|webp|avif)$/.test(contentType)
const isShown = (file: FileFacts) => isPicture(file) || file.contentType === 'application/pdf'

export function AttachmentFile({ record, etag }: Versioned) {
  const shown = { id: record.id, etag }
  const { upload, take, cancel } = useFileUpload(shown)
  const canWrite = useCanWrite()
  const file = record.file as FileFacts | undefined
  if (!canWrite)
    return <Card title={text.title}>{file ? <ThereIs file={file} shown={shown} name={record.name} /> : text.none}</Card>
  return (
    <Card title={text.title} isFlush>
      <FileDrop {...{ upload, take, cancel }} invitation={text.drop} hint={text.hint} refused={text.refused}>
        {file && ((choose) => <ThereIs file={file} shown={shown} name={record.name} choose={choose} />)}
      </FileDrop>
    </Card>
  )
}

/** A drop zone that makes an attachment of a file. */
export function NewAttachmentFile() {
  const { upload, take, cancel } = useFileUpload()
  if (!useCanWrite()) return null
  return (
    <Card title={text.title} isFlush>
      <FileDrop {...{ upload, take, cancel }} invitation={text.dropNew} hint={text.hint} refused={text.refused} />
    </Card>
  )
}

interface ThereIsProps {
  readonly file: FileFacts
  readonly shown: Parameters<typeof useAttachmentFile>[0]
  readonly name: string
  /** Opens the system's dialog for a file in its place; without it, the file can only be read. */
  readonly choose?: () => void
}

function ThereIs({ file, shown, name, choose }: ThereIsProps) {
  const format = useFormat()
  const { isBusy, run } = useAction()
  const [isAsking, setAsking] = useState(false)
  const { link, download, remove } = useAttachmentFile(shown, file.sha256)
  const { data, error, refetch } = useQuery({ ...link, enabled: isShown(file) })
  return (
    <>
      {isPicture(file) && data && (
        <Anchor href={data.path} target="_blank" rel="noreferrer" className={classes.picture}>
          <img src={data.path} alt={text.picture(name)} />
        </Anchor>
      )}
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      <Facts
        facts={[
          [text.size, bytes(file.bytes)],
          [text.type, file.contentType],
          [text.uploadedAt, format.dateTime(file.uploadedAt)],
        ]}
      />
      <Group gap="xs" mt="md">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => void run(() => download(name))}
          loading={isBusy}
        >
          {text.download}
        </Button>
        {isShown(file) && data && (
          <Button
            component="a"
            href={data.path}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={16} />}
          >
            {text.open}
          </Button>
        )}
        {choose && (
          <>
            <Button variant="default" leftSection={<IconUpload size={16} />} onClick={choose}>
              {text.replace}
            </Button>
            <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
              {text.remove}
            </Button>
          </>
        )}
      </Group>
      <Confirm opened={isAsking} close={() => setAsking(false)} title={text.remove} action={text.remove} run={remove}>
        {text.removeHint}
      </Confirm>
    </>
  )
}
