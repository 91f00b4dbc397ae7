import { queryOptions } from '@tanstack/react-query'
import { getLibrariesDetails, getPublicConfig } from './libraries.functions.ts'

const neverStale = { staleTime: Infinity, gcTime: Infinity }

/** `librariesDetails` in the page state. */
export const librariesDetailsQuery = queryOptions({ queryKey: ['librariesDetails'], queryFn: () => getLibrariesDetails(), ...neverStale })

export const publicConfigQuery = queryOptions({ queryKey: ['public-config'], queryFn: () => getPublicConfig(), ...neverStale })
