import { createFileRoute } from '@tanstack/react-router'
import { AreasLink } from '#app/features/areas/admin/AreasLink.tsx'
import { StreetMap } from '#app/features/areas/admin/StreetMap.tsx'
import { mapFileQuery } from '#app/features/areas/streets/map-files.queries.ts'
import { RetentionSettings } from '#app/features/people/retention/admin/RetentionSettings.tsx'
import { retentionSettingsQuery } from '#app/features/people/retention/retention.queries.ts'
import { SiteSettingsPage } from '#app/features/sites/admin/SiteSettingsPage.tsx'
import { ownSiteQuery, topicListQuery, translationGapsQuery } from '#app/features/sites/site-settings.queries.ts'
import { AppError } from '#app/lib/app-error.ts'
import { currentSiteQuery, currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin/settings/')({
  staticData: { namespaces: ['platform', 'areas-admin', 'privacy'] },
  loader: async ({ context: { queryClient } }) => {
    const { user } = await queryClient.ensureQueryData(currentUserQuery)
    if (user?.roleName !== 'site_admin') throw new AppError('forbidden')
    const { site } = await queryClient.ensureQueryData(currentSiteQuery)
    await Promise.all([
      queryClient.ensureQueryData(ownSiteQuery(site.id)),
      queryClient.ensureQueryData(topicListQuery),
      queryClient.ensureQueryData(translationGapsQuery),
      queryClient.ensureQueryData(mapFileQuery),
      queryClient.ensureQueryData(retentionSettingsQuery),
    ])
  },
  component: () => (
    <SiteSettingsPage>
      <RetentionSettings />
      <StreetMap />
      <AreasLink />
    </SiteSettingsPage>
  ),
})
