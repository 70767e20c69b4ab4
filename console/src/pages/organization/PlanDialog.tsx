// Creates or changes a plan: its name, its limits, and whether it is the default.
import { SimpleGrid, Skeleton, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limitNames, ownedQuery, useOrganizationId } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import type { Plan } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { FormDrawer } from '../../parts/FormDrawer.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { withMember } from '../../parts/member-shape.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { text } from '../../texts/organization.ts'
import classes from './organization.module.css'
import { pathsOf, useOwnedForm } from './owned-form.ts'

const members = ['name', 'limits', 'isDefault']

/** A cleared object is sent as an empty one, which limits nothing. */
const toBody = (body: Readonly<Record<string, any>>) => ({
  ...body,
  ...('limits' in body && { limits: body.limits ?? {} }),
})

export function PlanDialog({ open, close }: { open: Plan | 'new' | undefined; close: () => void }) {
  return (
    <FormDrawer
      isOpen={open !== undefined}
      close={close}
      title={open === 'new' || open === undefined ? text.newPlan : <bdi>{text.editPlan(open.name)}</bdi>}
    >
      {({ onDirty, end }) =>
        open === 'new' ? (
          <PlanForm close={end} onDirty={onDirty} />
        ) : (
          open && <Loaded id={open.id} close={end} onDirty={onDirty} />
        )
      }
    </FormDrawer>
  )
}

interface FormProps {
  readonly close: () => void
  readonly onDirty: (isDirty: boolean) => void
}

/** Lists contain no versions; a change is based on the version that was read. */
function Loaded({ id, ...form }: { id: string } & FormProps) {
  const { data, error, refetch } = useQuery({ ...ownedQuery(useOrganizationId(), `plans/${id}`), gcTime: 0 })
  if (data !== undefined) return <PlanForm versioned={data} {...form} />
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={320} />
}

function PlanForm({ versioned, close, onDirty }: { versioned?: Versioned } & FormProps) {
  const form = useOwnedForm({
    path: pathsOf('plans'),
    versioned,
    members,
    toBody,
    onSaved: close,
    onDirty,
  })
  const wasDefault = versioned?.record.isDefault === true
  const { limits } = form.values
  return (
    <FormFrame form={form} submit={form.isNew ? text.createPlan : text.save}>
      <TextInput label={text.planName} required aria-required {...form.input('name')} />
      <fieldset className={classes.limitInputs}>
        <legend>{text.limits}</legend>
        <Text size="xs" c="dimmed" mb="sm">
          {text.limitsHint}
        </Text>
        <SimpleGrid cols={2} spacing="md" verticalSpacing="sm">
          {limitNames.map((name) => (
            <NumberText
              key={name}
              label={text.limitOf[name]}
              placeholder={text.unlimited}
              value={limits?.[name]}
              onChange={(typed) => form.set('limits', withMember(limits, name, typed) ?? {})}
              error={form.errorAt(`/limits/${name}`)}
            />
          ))}
        </SimpleGrid>
      </fieldset>
      <Switch
        label={text.default}
        description={wasDefault ? text.mustStayDefault : text.defaultHint}
        disabled={wasDefault}
        checked={form.values.isDefault === true}
        onChange={(event) => form.set('isDefault', event.currentTarget.checked)}
        error={form.errorAt('/isDefault')}
      />
    </FormFrame>
  )
}
