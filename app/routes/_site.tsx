import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { StandaloneError } from '#app/shell/error-page.tsx'

/** Participants' pages: wraps each in the site's header and footer. */
export const Route = createFileRoute('/_site')({
  staticData: { namespaces: ['participant'] },
  loader: () => readSiteFrame(),
  staleTime: 60_000,
  component: Layout,
  errorComponent: StandaloneError,
})

function Layout() {
  return (
    <SiteChrome frame={Route.useLoaderData()}>
      <Outlet />
    </SiteChrome>
  )
}
