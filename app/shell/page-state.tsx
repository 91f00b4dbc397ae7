import { type QueryClient, type QueryKey, type UseSuspenseQueryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { use } from 'react'
import { featuresQuery, siteFeaturesQuery } from '#app/features/feature-switches/feature-switches.queries.ts'
import { librariesDetailsQuery, publicConfigQuery } from '#app/features/libraries/libraries.queries.ts'
import { opencitiesMetaQuery } from '#app/features/opencities/opencities.queries.ts'
import type { CurrentSite, CurrentUser, SiteSettings } from './page-state.schema.ts'
import { consentQuery, currentSiteQuery, currentUserQuery, siteSettingsQuery, tokenQuery } from './page-state.queries.ts'

type Load = <T, Key extends QueryKey>(query: UseSuspenseQueryOptions<T, Error, T, Key>) => T

const useWatched: Load = (query) => useSuspenseQuery(query).data

/**
 * A part of the page state. On the server it is loaded before anything is rendered and does not change while it is: there it is read
 * without an observer, which costs more than the reading.
 */
const useLoaded: Load = import.meta.env.SSR
  ? (query) => {
      const client = useQueryClient()
      return client.getQueryData(query.queryKey) ?? use(client.ensureQueryData({ ...query, queryKey: query.queryKey }))
    }
  : useWatched

/** The page's site: its name, languages, time zone, contact. */
export function useSite(): CurrentSite & SiteSettings {
  const { site } = useLoaded(currentSiteQuery)
  return { ...site, ...useLoaded(siteSettingsQuery) }
}

/** The signed-in person; null for a visitor. */
export const useViewer = (): CurrentUser | null => useLoaded(currentUserQuery).user

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
