// One custom table: its rows, its fields, and its settings.
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParam, useScope } from '../../api/company.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageTabs, useTab } from '../../parts/PageTabs.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/tables.ts'
import { Rows } from './Rows.tsx'
import { Structure } from './Structure.tsx'
import { TableSettings } from './TableSettings.tsx'
import { fieldsQuery, isLink, tableOf, tableQuery } from './tables.ts'

export function TablePage() {
  const id = useParam('tableId')
  const scope = useScope()
  const tab = useTab(['data', 'structure', 'settings'])
  const table = useQuery(tableQuery(scope, id))
  const fields = useQuery(fieldsQuery(scope, id))
  const error = table.error ?? fields.error
  if (table.data === undefined || fields.data === undefined) {
    // An invalid id is refused as a filter before the table is reported as missing.
    if (error !== null && !/^[0-9a-f]{24}$/.test(id)) return <NotFound />
    return <PageWaiting error={error} retry={() => Promise.all([table.refetch(), fields.refetch()])} />
  }
  const custom = tableOf(table.data)
  return (
    <PageBody size={tab === 'data' ? 'full' : 'wide'}>
      <PageHeader
        title={custom.name}
        above={{ label: text.title, to: `/c/${scope.companyId}/tables` }}
        aside={fields.data.some(isLink) && <Badge>{text.extends}</Badge>}
        description={custom.description && <bdi className="name">{custom.description}</bdi>}
      />
      <PageTabs
        open={tab}
        tabs={[
          {
            name: 'data',
            label: text.tabs.data,
            panel: <Rows key={id} table={custom} fields={fields.data} />,
            isFilling: true,
          },
          {
            name: 'structure',
            label: text.tabs.structure,
            panel: <Structure table={custom} fields={fields.data} />,
          },
          {
            name: 'settings',
            label: text.tabs.settings,
            panel: <TableSettings key={id} versioned={table.data} fields={fields.data} />,
            isKept: true,
          },
        ]}
      />
    </PageBody>
  )
}
