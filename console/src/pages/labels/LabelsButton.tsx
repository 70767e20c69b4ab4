// Prints labels of the selected rows of a list of variants or of products.
import { Button } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useScope } from '../../api/company.ts'
import { mapConcurrently } from '../../api/map-concurrently.ts'
import type { RecordData } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { VariantPage } from '../../api/schemas.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/labels.ts'
import { MOST_VARIANTS, usePrintLabels } from './kept-list.ts'

/** How the labels of selected records find their variants. */
const variantsOf: Readonly<
  Record<string, (scope: { readonly companyId: string }, records: readonly RecordData[]) => Promise<string[]>>
> = {
  variants: async (_, records) => records.map(({ id }) => id),
  products: async (scope, records) => {
    const pages = await mapConcurrently(records, ({ id }) =>
      get<VariantPage>(scope, '/v1/variants', { query: { productId: id, limit: MOST_VARIANTS } }),
    )
    return pages.flatMap(({ data }) => data.map(({ id }) => id))
  },
}

/** Opens the page of labels for the variants of records; undefined for records without variants. */
export function useLabelsOf(many: string) {
  const scope = useScope()
  const printLabels = usePrintLabels()
  const read = variantsOf[many]
  return read && (async (records: readonly RecordData[]) => printLabels(await read(scope, records)))
}

export function LabelsButton({ many, records }: { many: string; records: readonly RecordData[] }) {
  const print = useLabelsOf(many)
  const { isBusy, run } = useAction()
  if (print === undefined) return null
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconTags size={15} />}
      loading={isBusy}
      onClick={() => void run(() => print(records))}
    >
      {text.printLabels}
    </Button>
  )
}
