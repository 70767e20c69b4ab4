// Switches to another company or organization, found among thousands by part of its name.
import { Combobox, Loader, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { get } from '../api/request.ts'
import { type OpenCompany, useSignIn } from '../api/sign-in.ts'
import { useOpenAtOnce } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { Mark } from './Mark.tsx'
import classes from './MenuButton.module.css'
import { type Face, MenuButton } from './MenuButton.tsx'

export function CompanyChoices({ face }: { face: Face }) {
  const { companyId, organizationId } = useParams({ strict: false })
  const { organizations } = useSignIn()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), 150)
  const combobox = useCombobox({
    onDropdownClose: () => setSearch(''),
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const button = useOpenAtOnce<HTMLButtonElement>(() => combobox.openDropdown())
  const { data: found, error, isFetching, isPlaceholderData } = useFound(wanted, combobox.dropdownOpened)
  const isNone = found?.data.length === 0 && !isPlaceholderData && search.trim() === wanted
  const nothing = error ? asProblem(error).message : isNone ? text.noCompany : undefined
  const shownOrganizations = organizations.filter((one) => one.name.toLowerCase().includes(wanted.toLowerCase()))

  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="md"
      onOptionSubmit={(to) => {
        combobox.closeDropdown()
        void navigate({ to })
      }}
    >
      <Combobox.Target withAriaAttributes={false} targetType="button">
        <MenuButton
          ref={button}
          {...face}
          onClick={() => combobox.toggleDropdown()}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={text.findCompany}
          aria-label={text.findCompany}
          rightSection={isFetching ? <Loader size={14} /> : null}
        />
        <Combobox.Options mah={360} style={{ overflowY: 'auto' }} aria-label={text.companySwitcher}>
          {shownOrganizations.length > 0 && (
            <Combobox.Group label={text.organization}>
              {shownOrganizations.map(({ id, name }) => (
                <Choice key={id} to={`/o/${id}`} name={name} isOpen={id === organizationId} isOrganization />
              ))}
            </Combobox.Group>
          )}
          <Combobox.Group label={text.pages.companies}>
            {found?.data.map(({ id, name }) => (
              <Choice key={id} to={`/c/${id}`} name={name} isOpen={id === companyId} />
            ))}
          </Combobox.Group>
          {nothing !== undefined && <Combobox.Empty>{nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The first companies of those that the user may open, by part of their name. */
const useFound = (search: string, enabled: boolean) =>
  useQuery({
    queryKey: ['companies', search],
    queryFn: () => get<{ data: OpenCompany[] }>('person', '/v1/console/companies', { query: { search, limit: 20 } }),
    enabled,
    placeholderData: keepPreviousData,
  })

function Choice({
  to,
  name,
  isOpen,
  isOrganization = false,
}: {
  to: string
  name: string
  isOpen: boolean
  isOrganization?: boolean
}) {
  return (
    <Combobox.Option value={to} active={isOpen}>
      <div className={classes.button} style={{ padding: 0 }}>
        <Mark name={name} isOrganization={isOrganization} />
        <Text size="sm" className="cut" flex={1}>
          <bdi>{name}</bdi>
        </Text>
        {isOpen && <IconCheck size={15} aria-hidden />}
      </div>
    </Combobox.Option>
  )
}
