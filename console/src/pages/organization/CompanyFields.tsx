// The inputs of a company's details, for onboarding and for later changes.
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { plansQuery, useOrganizationId } from '../../api/organization.ts'
import { Card } from '../../parts/Card.tsx'
import type { FormWithInputs } from '../../parts/form-inputs.ts'
import { text } from '../../texts/organization.ts'
import { countries, currencies, hours, timezones, withValue } from './regions.ts'

const { fields } = text

/** Members of a company that its organization can change. */
export const companyMembers = [
  ...['name', 'email', 'phone', 'industry', 'externalId', 'logo', 'planId', 'country', 'currency', 'timezone'],
  ...['dayStartHour', 'address', 'taxId'],
]

/** Those that its owners can change too. */
export const ownMembers = companyMembers.filter((name) => name !== 'externalId' && name !== 'planId')

const columns = { cols: { base: 1, sm: 2 }, spacing: 'md', verticalSpacing: 'sm' } as const

interface FieldsProps {
  readonly form: FormWithInputs
}

/** Hints are below, so that inputs side by side are level. */
const below = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
}

export function NameInput({ form }: FieldsProps) {
  return <TextInput label={fields.name} required aria-required {...form.input('name')} />
}

export function EmailInput({ form }: FieldsProps) {
  return (
    <TextInput
      type="email"
      label={fields.email}
      description={form.isNew ? text.emailHint : undefined}
      {...below}
      {...form.input('email')}
    />
  )
}

interface DetailsProps extends FieldsProps {
  /** For the company’s owners, who do not see what only its organization changes. */
  readonly isOwn?: boolean
}

/** All details of a company, in two cards. */
export function CompanyCards({ form, isOwn = false, title }: DetailsProps & { readonly title: string }) {
  return (
    <>
      <Card title={title}>
        <Stack gap="sm">
          <SimpleGrid {...columns}>
            <NameInput form={form} />
            <EmailInput form={form} />
          </SimpleGrid>
          <ContactFields form={form} isOwn={isOwn} />
          {!isOwn && <PlanInput form={form} />}
        </Stack>
      </Card>
      <Card title={text.sections.place}>
        <Stack gap="sm">
          <PlaceFields form={form} />
          <AddressFields form={form} />
        </Stack>
      </Card>
    </>
  )
}

export function ContactFields({ form, isOwn = false }: DetailsProps) {
  return (
    <SimpleGrid {...columns}>
      <TextInput label={fields.phone} {...form.input('phone')} />
      <TextInput label={fields.industry} {...form.input('industry')} />
      <TextInput label={fields.taxId} description={text.taxIdHint} {...below} {...form.input('taxId')} />
      {!isOwn && (
        <TextInput
          label={fields.externalId}
          description={text.externalIdHint}
          {...below}
          {...form.input('externalId')}
        />
      )}
      <TextInput label={fields.logo} description={text.logoHint} {...below} {...form.input('logo')} />
    </SimpleGrid>
  )
}

export function PlaceFields({ form }: FieldsProps) {
  const [allCountries, allCurrencies, allZones] = useMemo(() => [countries(), currencies(), timezones()], [])
  const { country, currency, timezone, dayStartHour = 0 } = form.values
  const common = { searchable: true, clearable: true, maxDropdownHeight: 280, ...below } as const
  return (
    <SimpleGrid {...columns}>
      <Select label={fields.country} data={withValue(allCountries, country)} {...common} {...form.choice('country')} />
      <Select
        label={fields.currency}
        description={form.isNew ? text.currencyDefault : text.currencyHint}
        data={withValue(allCurrencies, currency)}
        {...common}
        {...form.choice('currency')}
      />
      <Select
        label={fields.timezone}
        description={text.timezoneHint}
        data={withValue(allZones, timezone)}
        {...common}
        {...form.choice('timezone')}
      />
      <Select
        label={fields.dayStartHour}
        description={text.dayStartHourHint}
        data={hours}
        allowDeselect={false}
        maxDropdownHeight={280}
        {...below}
        {...form.choice('dayStartHour')}
        value={String(dayStartHour)}
        onChange={(value) => form.set('dayStartHour', Number(value))}
      />
    </SimpleGrid>
  )
}

export function AddressFields({ form }: FieldsProps) {
  return (
    <SimpleGrid {...columns}>
      {(['address1', 'address2', 'postCode', 'city', 'state'] as const).map((name) => (
        <TextInput key={name} label={fields[name]} {...form.inner('address', name)} />
      ))}
    </SimpleGrid>
  )
}

/** Plans that a company can be put on: active ones, and its current one. */
export function PlanInput({ form }: FieldsProps) {
  const { data: plans = [] } = useQuery(plansQuery(useOrganizationId()))
  const current = form.values.planId as string | undefined
  const choices = plans
    .filter(({ id, status }) => status === 'active' || id === current)
    .map(({ id, name, isDefault }) => ({ value: id, label: isDefault ? text.planDefault(name) : name }))
  return (
    <Select
      label={fields.planId}
      placeholder={text.planEmpty}
      data={withValue(choices, current)}
      clearable={form.isNew}
      searchable={choices.length > 8}
      {...form.choice('planId')}
    />
  )
}
