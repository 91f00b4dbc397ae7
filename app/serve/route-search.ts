import { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { DEFAULT_LANGUAGE } from '../lib/languages.ts'
import { parseSearchParams } from '../lib/search-params.ts'
import { routeTree } from '../routeTree.gen.ts'
import { createServerI18n } from '../server/i18n.ts'

/** The query parameters that the page at a path (without language) reads. Parameters and values that it does not accept are left out. */
export type ReadSearch = (path: string, search: string) => Record<string, unknown>

/** Parses queries with the routes' own `validateSearch`, so that what a page depends on is defined only once. */
export function createSearchReader(): ReadSearch {
  const router = createRouter({ routeTree, context: { queryClient: new QueryClient(), i18n: createServerI18n(DEFAULT_LANGUAGE) } })
  return (path, search) => {
    const [, , route] = router.getMatchedRoutes(path)
    const validate: unknown = route?.options.validateSearch
    return typeof validate === 'function' ? (validate as (given: object) => Record<string, unknown>)(parseSearchParams(search)) : {}
  }
}
