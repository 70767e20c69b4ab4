// The drop zone for a file, also with a file chooser, and the progress of the upload.
import { Alert, Button, Group, Paper, Progress, Select, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconFileSpreadsheet, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { bytes } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import classes from './DropFile.module.css'
import { type Sending, useSending } from './sending.ts'

export function DropFile() {
  const { sending, begin, cancel } = useSending()
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const outlet = useOutletChoice()

  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) void begin(file, outlet.id)
  }

  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }

  return (
    <Paper component="section" aria-label={text.newTitle} className={classes.card}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={over}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node)) setOver(false)
        }}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files)
        }}
      >
        {sending.state === 'sending' ? (
          <Uploading sending={sending} cancel={cancel} />
        ) : (
          <>
            <ThemeIcon size={44} radius="lg" variant="light" color="gray">
              {isOver ? <IconFileSpreadsheet size={22} stroke={1.6} /> : <IconUpload size={22} stroke={1.6} />}
            </ThemeIcon>
            <Text fw={500}>{isOver ? text.dropNow : text.drop}</Text>
            <Button onClick={() => input.current?.click()}>
              {sending.state === 'refused' ? text.another : text.choose}
            </Button>
            <Text size="xs" c="dimmed" maw={460} ta="center">
              {text.hint}
            </Text>
          </>
        )}
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={text.choose}
          tabIndex={-1}
          hidden
          onChange={(event) => {
            take(event.currentTarget.files)
            // Lets the same file be chosen again after it was corrected.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {sending.state === 'refused' && <NotTaken sending={sending} />}
      <OutletChoice outlet={outlet} isDisabled={sending.state === 'sending'} />
    </Paper>
  )
}

function Uploading({ sending, cancel }: { sending: Extract<Sending, { state: 'sending' }>; cancel: () => void }) {
  return (
    <Stack gap="xs" w="100%" maw={420} ta="center" aria-live="polite">
      <Text size="sm" fw={500} className="name">
        {text.sending(sending.name)}
      </Text>
      <Progress value={sending.share * 100} aria-label={text.progress} animated={sending.share === 1} />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" className="numbers">
          {text.of(bytes(sending.bytes * sending.share), bytes(sending.bytes))}
        </Text>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
          {text.cancel}
        </Button>
      </Group>
    </Stack>
  )
}

function NotTaken({ sending }: { sending: Extract<Sending, { state: 'refused' }> }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={text.notTaken} m="md" mt={0}>
      {!sending.reason.startsWith(sending.name) && (
        <Text size="sm" fw={500} className="name">
          {sending.name}
        </Text>
      )}
      <Text size="sm" className="name">
        {sending.reason}
      </Text>
    </Alert>
  )
}

/** The outlet whose stock the file sets: the first one unless another is chosen. */
function useOutletChoice() {
  const whose = useWhose()
  const [chosen, setChosen] = useState<string | null>(null)
  const outlets = useQuery({ ...someQuery(whose, 'outlets', { limit: 1000, sortBy: 'sequenceNumber' }) })
  const choices = (outlets.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? id }))
  return { choices, id: chosen ?? choices[0]?.value, choose: setChosen }
}

interface OutletChoiceProps {
  readonly outlet: ReturnType<typeof useOutletChoice>
  readonly isDisabled: boolean
}

function OutletChoice({ outlet: { choices, id, choose }, isDisabled }: OutletChoiceProps) {
  return (
    <div className={classes.foot}>
      <Select
        label={text.outlet}
        data={choices}
        value={id ?? null}
        onChange={choose}
        placeholder={text.firstOutlet}
        disabled={isDisabled}
        allowDeselect={false}
        searchable={choices.length > 8}
        className={classes.outlet}
      />
      <Text size="xs" c="dimmed" flex={1} miw={200}>
        {text.checkedFirst}
      </Text>
    </div>
  )
}
