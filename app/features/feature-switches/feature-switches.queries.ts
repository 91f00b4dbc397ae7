import { queryOptions } from '@tanstack/react-query'
import { getFeatures, getSiteFeatures } from './feature-switches.functions.ts'

const neverStale = { staleTime: Infinity, gcTime: Infinity }

/** `features.features` in the page state. */
export const featuresQuery = queryOptions({ queryKey: ['features'], queryFn: () => getFeatures(), ...neverStale })

/** `siteFeatures.siteFeatures` in the page state. */
export const siteFeaturesQuery = queryOptions({ queryKey: ['siteFeatures'], queryFn: () => getSiteFeatures(), ...neverStale })
