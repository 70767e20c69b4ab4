// Where an import starts: the drop zone for its file, and the outlet of its stock.
import { Paper, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { ApiProblem, asProblem } from '../../api/problem.ts'
import { refresh } from '../../api/records.ts'
import type { Import } from '../../api/schemas.ts'
import { upload as send } from '../../api/upload.ts'
import { FileDrop } from '../../parts/FileDrop.tsx'
import { useUpload } from '../../parts/use-upload.ts'
import { text } from '../../texts/imports.ts'
import classes from './DropFile.module.css'
import { whyNot } from './file-check.ts'
import { importQuery, outletsQuery } from './import-job.ts'

export function DropFile() {
  const outlet = useOutletChoice()
  const { upload, take, cancel } = useImportUpload(outlet.id)
  return (
    <Paper component="section" aria-label={text.newTitle} className={classes.card}>
      <FileDrop
        {...{ upload, cancel, take }}
        accept=".csv,.tsv,.txt,text/csv"
        invitation={text.drop}
        hint={text.hint}
        refused={text.notTaken}
      />
      <OutletChoice outlet={outlet} isDisabled={upload.state === 'sending'} />
    </Paper>
  )
}

/** Uploads a file and goes to the page of its import. */
function useImportUpload(outletId: string | undefined) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { upload, begin, cancel } = useUpload()

  const take = (file: File) =>
    void begin(file, async (sending) => {
      const reason = await whyNot(file)
      if (reason !== undefined) return reason
      const job = await send<Import>(scope, '/v1/imports', file, {
        ...sending,
        query: { fileName: file.name.slice(0, 255), outletId },
        contentType: 'text/csv',
      }).catch((error: unknown) => {
        const { code, message } = asProblem(error)
        throw code === 'malformed_body' ? new ApiProblem(400, { code, message: text.isUnknown(message) }) : error
      })
      client.setQueryData(importQuery(scope, job.id).queryKey, job)
      void refresh(client, scope.companyId, 'imports')
      await navigate({ to: `/c/${scope.companyId}/imports/${job.id}` })
    })
  return { upload, take, cancel }
}

/** The outlet whose stock the file sets: the only one, or the chosen one. Of several, none by default: a file may have a location for each. */
function useOutletChoice() {
  const scope = useScope()
  const [chosen, setChosen] = useState<string | null>(null)
  const outlets = useQuery(outletsQuery(scope))
  const choices = (outlets.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? id }))
  return {
    choices,
    isRead: outlets.isSuccess,
    id: chosen ?? (choices.length === 1 ? choices[0]?.value : undefined),
    choose: setChosen,
  }
}

interface OutletChoiceProps {
  readonly outlet: ReturnType<typeof useOutletChoice>
  readonly isDisabled: boolean
}

function OutletChoice({ outlet: { choices, isRead, id, choose }, isDisabled }: OutletChoiceProps) {
  const hasNone = isRead && choices.length === 0
  return (
    <div className={classes.foot}>
      <Select
        label={text.outlet}
        data={choices}
        value={id ?? null}
        onChange={choose}
        placeholder={hasNone ? text.newOutlet : text.firstOutlet}
        disabled={isDisabled || hasNone}
        searchable={choices.length > 8}
        clearable={choices.length > 1}
        className={classes.outlet}
      />
      <Text size="xs" c="dimmed" flex={1} miw={200}>
        {text.checkedFirst}
      </Text>
    </div>
  )
}
