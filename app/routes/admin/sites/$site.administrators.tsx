import { createFileRoute } from '@tanstack/react-router'
import { SiteAdministrators } from '#app/features/sites/admin/SiteAdministrators.tsx'
import { siteAdministratorsQuery, siteQuery } from '#app/features/sites/sites.queries.ts'

export const Route = createFileRoute('/admin/sites/$site/administrators')({
  staticData: { namespaces: ['platform', 'people'] },
  loader: ({ context: { queryClient }, params: { site } }) =>
    Promise.all([queryClient.ensureQueryData(siteQuery(site)), queryClient.ensureQueryData(siteAdministratorsQuery(site))]),
  component: Administrators,
})

function Administrators() {
  return <SiteAdministrators siteId={Route.useParams().site} />
}
