// Stock as a CSV file: saved, and read again into the sheet after a preview, to be saved with what is typed there.
import { Alert, Button, FileButton, Group, Modal, Select, Stack, Table, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import { useResources } from '../../api/resources.ts'
import type { Variant, VariantPage } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { today } from '../../parts/days.ts'
import { download } from '../../parts/download.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { textOf } from '../../parts/read-csv.ts'
import type { Head } from '../../parts/sheet/format.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { useAction } from '../../parts/use-action.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/stock.ts'
import { whyNot } from '../imports/file-check.ts'
import { referenceNames } from '../records/reference-names.ts'
import { shownQuantity } from './quantity.ts'
import { stockCsv } from './stock-export.ts'
import { type Counted, type ReadFile, readStockFile } from './stock-file.ts'

/** Lines of the preview. */
const most = 12
/** Refused lines that are listed: of more, the file is another one than was meant. */
const mostRefused = 200
/** Bytes of a file: half a million lines. */
const mostBytes = 20 * 1024 * 1024

interface StockFileProps {
  readonly outlets: readonly Head[]
  /** Types counts into the sheet, as one step of undo. */
  readonly put: (changes: readonly Counted[]) => void
}

export function StockFileButtons({ outlets, put }: StockFileProps) {
  const [isOpen, setOpen] = useState(false)
  const scope = useScope()
  const resources = useResources()
  const canWrite = useCanWrite()
  const timeZone = useTimeZone()
  const exporting = useAction()

  async function save() {
    const variants = await allVariants(scope)
    const names = referenceNames(scope, resources)
    await names.learn(
      'products',
      variants.map(({ productId }) => productId),
    )
    download(stockCsv(variants, outlets, names), `stock-${today(timeZone)}.csv`)
  }

  return (
    <>
      {canWrite && (
        <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => setOpen(true)}>
          {text.file.open}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={exporting.isBusy}
        onClick={() => void exporting.run(save)}
      >
        {records.export}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={text.file.title} size="lg">
        <StockFile
          outlets={outlets}
          put={(changes) => {
            put(changes)
            setOpen(false)
          }}
        />
      </Modal>
    </>
  )
}

/** All variants with their stock: a file may name any of them. */
async function allVariants(scope: { readonly companyId: string }): Promise<Variant[]> {
  const found: Variant[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await get<VariantPage>(scope, '/v1/variants', { query: { limit: 1_000, cursor } })
    found.push(...data)
    cursor = meta.nextCursor
  } while (cursor !== undefined)
  return found
}

function StockFile({ outlets, put }: StockFileProps) {
  const scope = useScope()
  const [outletId, setOutletId] = useState(outlets[0]?.id)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [read, setRead] = useState<ReadFile>()
  const reset = useRef<() => void>(null)

  async function take(file: File | null) {
    if (file === null) return
    // Lets the same file be chosen again after it was corrected.
    reset.current?.()
    setBusy(true)
    setProblem(undefined)
    try {
      if (file.size > mostBytes) throw new Error(text.file.tooLarge)
      const reason = await whyNot(file)
      if (reason !== undefined) throw new Error(reason)
      const [content, variants] = await Promise.all([textOf(file), allVariants(scope)])
      setRead(
        readStockFile(
          content,
          variants,
          outlets,
          outlets.find(({ id }) => id === outletId),
        ),
      )
    } catch (error) {
      setRead(undefined)
      setProblem(asProblem(error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Stack gap="md">
      <Text size="sm">{text.file.hint}</Text>
      <Group align="flex-end">
        <Select
          label={text.file.outlet}
          description={text.file.outletHint}
          data={outlets.map(({ id, name }) => ({ value: id, label: name }))}
          value={outletId ?? null}
          data-autofocus
          onChange={(id) => {
            setOutletId(id ?? undefined)
            setRead(undefined)
          }}
        />
        <FileButton resetRef={reset} onChange={(file) => void take(file)} accept=".csv,.tsv,.txt,text/csv">
          {(props) => (
            <Button {...props} loading={isBusy} variant={read ? 'default' : 'filled'}>
              {text.file.choose}
            </Button>
          )}
        </FileButton>
      </Group>
      <FormMessage>{problem}</FormMessage>
      {read && <Preview read={read} />}
      {read && read.changes.length > 0 && (
        <DialogButtons>
          <Button onClick={() => put(read.changes)}>{text.file.put(read.changes.length)}</Button>
        </DialogButtons>
      )}
    </Stack>
  )
}

function Preview({ read: { changes, unchanged, refused } }: { read: ReadFile }) {
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {text.file.found(changes.length, unchanged, refused.length)}
      </Text>
      {changes.length > 0 && (
        <Table fz="sm" verticalSpacing={5}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.file.variant}</Table.Th>
              <Table.Th>{text.file.at}</Table.Th>
              <Table.Th ta="right">{text.file.before}</Table.Th>
              <Table.Th ta="right">{text.file.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.slice(0, most).map(({ cell, value, code, outlet }) => (
              <Table.Tr key={`${cell.variantId} ${cell.headId}`}>
                <Table.Td className="name">{code}</Table.Td>
                <Table.Td className="name">{outlet}</Table.Td>
                <Table.Td ta="right" className="muted">
                  {cell.saved === undefined ? '–' : shownQuantity(cell.saved)}
                </Table.Td>
                <Table.Td ta="right">{shownQuantity(value)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {changes.length > most && (
        <Text size="sm" c="dimmed">
          {text.file.more(changes.length - most)}
        </Text>
      )}
      {refused.length > 0 && (
        <Alert color="yellow" title={text.file.refused(refused.length)}>
          <ul style={{ paddingLeft: 18, maxHeight: 180, overflowY: 'auto', listStyle: 'revert' }}>
            {refused.slice(0, mostRefused).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  )
}
