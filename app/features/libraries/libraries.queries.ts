import { queryOptions } from '@tanstack/react-query'
import { getLibrariesDetails, getPublicConfig } from './libraries.functions.ts'

const kept = { staleTime: Infinity, gcTime: Infinity }

/** `librariesDetails` of the page state. */
export const librariesDetailsQuery = queryOptions({ queryKey: ['librariesDetails'], queryFn: () => getLibrariesDetails(), ...kept })

export const publicConfigQuery = queryOptions({ queryKey: ['public-config'], queryFn: () => getPublicConfig(), ...kept })
