// The entry point of the console: theme, query cache, and the pages.
import '@mantine/core/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { companyQuery } from './api/company.ts'
import { onRoleRefused, onSecondFactorMissing, onSuspended } from './api/request.ts'
import { mayRetry, retryDelay } from './api/retries.ts'
import { signInQuery } from './api/sign-in.ts'
// Reads the address before the router does.
import './api/sso.ts'
import { loadLanguage } from './load-language.ts'
import { openByEnter } from './parts/enter-opens.ts'
import { countLostClicks } from './parts/lost-clicks.ts'
import { ignoreMissedDrops } from './parts/missed-drops.ts'
import { makeRouter } from './router.tsx'
import { focusNewPages, keepFocus } from './shell/kept-focus.ts'
import { Later } from './shell/Later.tsx'
import { Unreachable } from './shell/Unreachable.tsx'
import { theme } from './theme.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be in the same network, and a read that waits to be online would not say what it waits for.
      networkMode: 'always',
      staleTime: 10_000,
      retry: mayRetry,
      retryDelay,
    },
    mutations: { networkMode: 'always' },
  },
})
const router = makeRouter(client)

// A window beside another one never becomes hidden, so focus counts too: another user may have signed in.
const readSignIn = () => void client.refetchQueries({ queryKey: signInQuery.queryKey, type: 'active' })
window.addEventListener('focus', readSignIn)
onRoleRefused(readSignIn)
onSecondFactorMissing(() => {
  const { pathname, href } = router.latestLocation
  if (pathname.endsWith('/second-factor')) return
  void router.navigate({ to: '/second-factor', search: { to: href }, replace: true })
})
// The open company was suspended: members of its organization see a banner and can change nothing; its own members see only that.
onSuspended(() => {
  const [, companyId] = /\/c\/([0-9a-f]{24})/.exec(router.latestLocation.pathname) ?? []
  if (companyId === undefined) return
  // `SuspendedBanner` shows what comes of it.
  void client.prefetchQuery({ ...companyQuery(companyId), staleTime: 0 })
})
keepFocus()
focusNewPages(router)
ignoreMissedDrops()
countLostClicks()
openByEnter()
// Not awaited here: the texts import modules of this file's chunk, and would wait for it.
void loadLanguage().then((shown) => {
  document.documentElement.lang = shown
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <Unreachable />
          <Later />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
})
