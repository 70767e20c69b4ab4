// One custom table: its rows, its fields, and what it is called.
import { Badge, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useParam, useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageSkeleton } from '../../parts/Skeletons.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/tables.ts'
import { Rows } from './Rows.tsx'
import { Structure } from './Structure.tsx'
import classes from './TablePage.module.css'
import { TableSettings } from './TableSettings.tsx'
import { fieldsQuery, isLink, tableOf, tableQuery } from './tables.ts'

const tabs = ['data', 'structure', 'settings'] as const

export function TablePage() {
  const id = useParam('tableId')
  const whose = useWhose()
  const navigate = useNavigate()
  const { tab: asked } = useSearch({ strict: false }) as { tab?: string }
  const tab = tabs.find((one) => one === asked) ?? 'data'
  const table = useQuery(tableQuery(whose, id))
  const fields = useQuery(fieldsQuery(whose, id))
  const error = table.error ?? fields.error
  if (table.data === undefined || fields.data === undefined) {
    if (error === null) return <PageSkeleton />
    // An id that is none of ours is refused as a filter before it is not found as a table.
    if (asProblem(table.error ?? error).status === 404 || !/^[0-9a-f]{24}$/.test(id)) return <NotFound />
    return (
      <PageBody size="narrow">
        <Failure
          error={error}
          retry={() => {
            void table.refetch()
            void fields.refetch()
          }}
        />
      </PageBody>
    )
  }

  const custom = tableOf(table.data)
  return (
    <PageBody size={tab === 'data' ? 'full' : 'wide'}>
      <PageHeader
        title={custom.name}
        above={{ label: text.title, to: `/c/${whose.companyId}/tables` }}
        aside={fields.data.some(isLink) && <Badge>{text.extends}</Badge>}
        description={custom.description && <bdi className="name">{custom.description}</bdi>}
      />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next } as never, replace: true })}
        keepMounted={false}
        classNames={{ root: tab === 'data' ? classes.filling : undefined, panel: classes.panel }}
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {text.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="data">
          <Rows key={id} table={custom} fields={fields.data} />
        </Tabs.Panel>
        <Tabs.Panel value="structure">
          <Structure table={custom} fields={fields.data} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" keepMounted>
          <TableSettings key={id} versioned={table.data} fields={fields.data} />
        </Tabs.Panel>
      </Tabs>
    </PageBody>
  )
}
