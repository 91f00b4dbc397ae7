import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { featuresQuery, siteFeaturesQuery } from '#app/features/feature-switches/feature-switches.queries.ts'
import { librariesDetailsQuery, publicConfigQuery } from '#app/features/libraries/libraries.queries.ts'
import { opencitiesMetaQuery } from '#app/features/opencities/opencities.queries.ts'
import type { CurrentSite, CurrentUser, SiteSettings } from './page-state.schema.ts'
import { consentQuery, currentSiteQuery, currentUserQuery, siteSettingsQuery, tokenQuery } from './page-state.queries.ts'

/** The page's site: its name, languages, time zone, contact. */
export function useSite(): CurrentSite & SiteSettings {
  const { site } = useSuspenseQuery(currentSiteQuery).data
  return { ...site, ...useSuspenseQuery(siteSettingsQuery).data }
}

/** The signed-in person; null for a visitor. */
export const useViewer = (): CurrentUser | null => useSuspenseQuery(currentUserQuery).data.user

/** The initial page state as the server loaded it, and the page's own props. */
export function usePageState() {
  return {
    currentUser: useSuspenseQuery(currentUserQuery).data,
    currentSite: useSuspenseQuery(currentSiteQuery).data,
    features: useSuspenseQuery(featuresQuery).data,
    siteFeatures: useSuspenseQuery(siteFeaturesQuery).data,
    librariesDetails: useSuspenseQuery(librariesDetailsQuery).data,
    opencitiesIntegration: useSuspenseQuery(opencitiesMetaQuery).data,
    publicConfig: useSuspenseQuery(publicConfigQuery).data,
    siteSettings: useSuspenseQuery(siteSettingsQuery).data,
    consent: useSuspenseQuery(consentQuery).data.choice,
    token: useSuspenseQuery(tokenQuery).data.token ?? undefined,
    hideIntercom: useMatches({ select: (matches) => matches.some((match) => match.staticData.hideIntercom) }),
  }
}

/** The site's name for a route's `head`, once the root route has loaded the page state. */
export const getSiteName = (queryClient: QueryClient): string => queryClient.getQueryData(currentSiteQuery.queryKey)?.site.name ?? 'Parley'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Set on routes whose pages never show the support chat. */
    hideIntercom?: boolean
  }
}
