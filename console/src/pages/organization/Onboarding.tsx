// Onboards a company: the required details, the others behind a button, and then a link to the company.
import { Button, Collapse, Group, Modal, SimpleGrid, Stack, Text, TextInput, ThemeIcon, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { RecordData } from '../../api/records.ts'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { text } from '../../texts/organization.ts'
import {
  AddressFields,
  ContactFields,
  companyMembers,
  EmailInput,
  NameInput,
  PlaceFields,
  PlanInput,
} from './CompanyFields.tsx'
import { useOwnedForm } from './owned-form.ts'

const members = [...companyMembers, 'outletName']
const initial = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }

/** The input is kept while the dialog is closed. */
export function Onboarding({ opened, close }: { opened: boolean; close: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<RecordData>()
  function end() {
    close()
    setMade(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={end}
      title={text.onboardTitle}
      size="lg"
      keepMounted
      closeButtonProps={{ 'aria-label': text.cancel }}
    >
      {made === undefined ? (
        <Fields
          close={end}
          onMade={(company) => {
            // The switcher lists it too.
            void client.invalidateQueries({ queryKey: ['companies'] })
            setMade(company)
          }}
        />
      ) : (
        <Onboarded company={made} again={() => setMade(undefined)} />
      )}
    </Modal>
  )
}

function Fields({ close, onMade }: { close: () => void; onMade: (company: RecordData) => void }) {
  const form = useOwnedForm({
    path: (id) => (id === undefined ? 'company/company-workflow/onboard' : `companies/${id}`),
    members,
    initial,
    said: '',
    onSaved: ({ record }) => onMade(record),
  })
  const [isMore, more] = useDisclosure(false)
  return (
    <FormFrame
      form={form}
      submit={text.onboardAction}
      labels={text.fields}
      isDialog
      actions={
        <Button variant="default" onClick={close}>
          {text.cancel}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {text.onboardHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        <NameInput form={form} />
        <TextInput label={text.fields.outletName} placeholder={form.values.name} {...form.input('outletName')} />
        <EmailInput form={form} />
        <PlanInput form={form} />
      </SimpleGrid>
      <PlaceFields form={form} />
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          rightSection={<IconChevronDown size={14} style={{ rotate: isMore ? '180deg' : undefined }} />}
          onClick={more.toggle}
          aria-expanded={isMore}
        >
          {text.moreDetails}
        </Button>
        <Collapse expanded={isMore}>
          <Stack gap="sm" mt="sm">
            <ContactFields form={form} />
            <AddressFields form={form} />
          </Stack>
        </Collapse>
      </div>
      <Text size="xs" c="dimmed">
        {form.draft.isTyped ? text.onboardKept : ''}
      </Text>
    </FormFrame>
  )
}

function Onboarded({ company, again }: { company: RecordData; again: () => void }) {
  return (
    <Stack align="center" ta="center" gap="xs" pb="md" role="status">
      <ThemeIcon size={44} radius="xl" color="teal" variant="light">
        <IconCheck size={24} />
      </ThemeIcon>
      <Title order={3} className="name">
        <bdi>{text.onboarded(company.name)}</bdi>
      </Title>
      <Text size="sm" c="dimmed" maw={400}>
        {text.onboardedHint}
      </Text>
      <Group gap="xs" mt="md" justify="center">
        <Button component={Link} to={`/c/${company.id}/settings/keys`}>
          {text.makeKey}
        </Button>
        <Button component={Link} to={`/c/${company.id}`} variant="default">
          {text.openCompany}
        </Button>
        <Button variant="subtle" color="gray" onClick={again}>
          {text.another}
        </Button>
      </Group>
    </Stack>
  )
}
