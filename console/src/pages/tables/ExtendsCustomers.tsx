// The switch that makes a custom table extend customers.
import { Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/tables.ts'
import { extendCustomers, isLink, removeField, structureChanged } from './tables.ts'

/** On creates the field that links a row to its customer, off deletes it. */
export function ExtendsCustomers({ table, fields }: { table: CustomTable; fields: readonly CustomTableField[] }) {
  const scope = useScope()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, run } = useAction()
  const link = fields.find(isLink)

  const extend = () =>
    run(async () => {
      await extendCustomers(scope, table._id.$oid, fields)
      await structureChanged(client, scope, table._id.$oid)
      notify(text.extended)
    })

  return (
    <Card
      title={text.extends}
      actions={
        <Switch
          size="md"
          aria-label={text.extends}
          checked={link !== undefined}
          disabled={!canWrite || isBusy}
          onChange={() => (link === undefined ? void extend() : setAsking(true))}
        />
      }
    >
      <Text size="sm" c="dimmed" maw={620} className="name">
        {text.extendsHint} {link === undefined ? text.extendsOff : text.extendsOn(link.name)}
      </Text>
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.extendOffTitle}
        action={text.extendOffAction}
        run={async () => {
          if (link === undefined) return
          await removeField(scope, link._id.$oid)
          await structureChanged(client, scope, table._id.$oid)
          notify(text.unextended)
        }}
      >
        {text.extendOff(link?.name ?? '', table.name)}
      </Confirm>
    </Card>
  )
}
