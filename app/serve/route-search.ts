import { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { DEFAULT_LANGUAGE } from '../lib/languages.ts'
import { parseSearchParams } from '../lib/search-params.ts'
import { routeTree } from '../routeTree.gen.ts'
import { createServerI18n } from '../server/i18n.ts'

/** The query parameters that the page at a path (without language) reads. Parameters and values that it does not accept are left out. */
export type ReadSearch = (path: string, search: string) => Record<string, unknown>

/** The pattern of the route that answers a path (without language), such as `/projects/$slug`; undefined if there is none. */
export type FindRoute = (path: string) => string | undefined

/** The route that says that there is no such page. */
const ANY_PATH = '/$'

const createMatcher = () =>
  createRouter({ routeTree, context: { queryClient: new QueryClient(), i18n: createServerI18n(DEFAULT_LANGUAGE) } })

export function createRouteFinder(): FindRoute {
  const router = createMatcher()
  return (path) => {
    const [, , route] = router.getMatchedRoutes(path)
    const pattern = route?.fullPath
    if (pattern === undefined || pattern === ANY_PATH) return undefined
    return pattern.length > 1 ? pattern.replace(/\/$/, '') : pattern
  }
}

/** Parses queries with the routes' own `validateSearch`, so that what a page depends on is defined only once. */
export function createSearchReader(): ReadSearch {
  const router = createMatcher()
  return (path, search) => {
    const [, , route] = router.getMatchedRoutes(path)
    const validate: unknown = route?.options.validateSearch
    return typeof validate === 'function' ? (validate as (given: object) => Record<string, unknown>)(parseSearchParams(search)) : {}
  }
}
