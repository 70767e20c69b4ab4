// The outlets of the sheet: all of them, and those that the user has not hidden in this browser.
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import type { Head } from '../../parts/sheet/format.ts'
import { quantities } from './quantity.ts'

export function useOutlets() {
  const scope = useScope()
  const query = useQuery({
    ...someQuery(scope, 'outlets', { limit: 1000, sortBy: 'sequenceNumber' }),
    staleTime: 60_000,
  })
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `cashwrap-stock-hidden-${scope.companyId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const all = useMemo(
    () => (query.data?.data ?? []).map(({ id, name }): Head => ({ id, name: name ?? id, format: quantities })),
    [query.data],
  )
  const shown = useMemo(() => {
    const visible = all.filter(({ id }) => !hidden.includes(id))
    return visible.length > 0 ? visible : all
  }, [all, hidden])
  return { query, all, shown, hidden, setHidden }
}
