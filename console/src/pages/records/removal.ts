// Deletes a record with time to undo: it leaves the lists at once, and is deleted some seconds later.
import { notifications } from '@mantine/notifications'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { leaving, type Page, type RecordData, refresh, removeRecord, withoutLeaving } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import { complain } from '../../parts/notices.ts'
import { offerUndo } from '../../parts/undo-notice.tsx'
import { text } from '../../texts/records.ts'

const pauseMs = 6_000

export function useRemoval({ one, many }: Pick<Resource, 'one' | 'many'>): (id: string, title: string) => void {
  const scope = useScope()
  const client = useQueryClient()

  return (id, title) => {
    let isDecided = false
    const finish = (keepalive: boolean) => {
      if (isDecided) return
      isDecided = true
      window.removeEventListener('pagehide', closing)
      notifications.hide(id)
      removeRecord(scope, one, id, keepalive)
        .catch((error) => complain(error, text.notDeleted(title)))
        .finally(() => {
          leaving.delete(id)
          void refresh(client, scope.companyId, many)
        })
    }
    // Closing the page confirms the deletion.
    const closing = () => finish(true)
    const timer = setTimeout(finish, pauseMs, false)
    window.addEventListener('pagehide', closing)

    leaving.add(id)
    client.setQueriesData<InfiniteData<Page>>(
      { queryKey: [scope.companyId, many, 'list'] },
      (lists) => lists && { ...lists, pages: lists.pages.map(withoutLeaving) },
    )
    client.setQueriesData<readonly RecordData[]>({ queryKey: [scope.companyId, many, 'all'] }, (all) =>
      all?.filter((record) => record.id !== id),
    )
    offerUndo({
      id,
      message: text.deletedToast(title),
      autoClose: false,
      undo: () => {
        isDecided = true
        leaving.delete(id)
        clearTimeout(timer)
        window.removeEventListener('pagehide', closing)
        void refresh(client, scope.companyId, many)
      },
    })
  }
}
