import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { featuresQuery, siteFeaturesQuery } from '#app/features/feature-switches/feature-switches.queries.ts'
import { librariesDetailsQuery, publicConfigQuery } from '#app/features/libraries/libraries.queries.ts'
import { opencitiesMetaQuery } from '#app/features/opencities/opencities.queries.ts'
import { getConsent, getCurrentSite, getCurrentUser, getSiteSettings, getToken } from './page-state.functions.ts'

const keptForever = { staleTime: Infinity, gcTime: Infinity }

export const currentUserQuery = queryOptions({ queryKey: ['currentUser'], queryFn: () => getCurrentUser(), ...keptForever })
export const currentSiteQuery = queryOptions({ queryKey: ['currentSite'], queryFn: () => getCurrentSite(), ...keptForever })
export const siteSettingsQuery = queryOptions({ queryKey: ['site-settings'], queryFn: () => getSiteSettings(), ...keptForever })
export const tokenQuery = queryOptions({ queryKey: ['token'], queryFn: () => getToken(), ...keptForever })
export const consentQuery = queryOptions({ queryKey: ['consent'], queryFn: () => getConsent(), ...keptForever })

/** Loads the whole page state into the cache: on the server for the first render, in the browser only what is missing. */
export async function ensurePageState(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(currentUserQuery),
    queryClient.ensureQueryData(currentSiteQuery),
    queryClient.ensureQueryData(siteSettingsQuery),
    queryClient.ensureQueryData(tokenQuery),
    queryClient.ensureQueryData(consentQuery),
    queryClient.ensureQueryData(featuresQuery),
    queryClient.ensureQueryData(siteFeaturesQuery),
    queryClient.ensureQueryData(librariesDetailsQuery),
    queryClient.ensureQueryData(publicConfigQuery),
    queryClient.ensureQueryData(opencitiesMetaQuery),
  ])
}
