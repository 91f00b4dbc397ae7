import { type AnyRoute, Link, type LinkProps, useMatch, useNavigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { omitUnset, type SearchChanges } from '#app/lib/list-search.ts'

/** What every list may keep in its address, besides its own filters. */
export interface ListSearch {
  sort?: string
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

/** The result of `linkOptions`, so that the router has checked address and search against each other. */
type ListAddress = Pick<LinkProps, 'to' | 'params' | 'search'>

export interface List<Search extends ListSearch> {
  search: Search
  /** Shows the list with other filters, from its first page. */
  change: (changes: SearchChanges<Search>) => void
  /** Shows the list with these filters only. */
  replace: (search: Search) => void
  /** A link to the list with other filters, order or page. */
  link: (changes: SearchChanges<Search>, children: ReactNode, attributes?: { 'aria-label'?: string; rel?: 'prev' | 'next' }) => ReactNode
  /** A link to the whole list. */
  linkToAll: (children: ReactNode) => ReactNode
}

/** A list whose filters, order and page are in the address: `useList(search, (search) => linkOptions({ to: '/admin/people', search }))`. */
export function useList<Search extends ListSearch>(sent: Search, toAddress: (search: Search) => ListAddress): List<Search> {
  const navigate = useNavigate()
  const search = useOwnSearch(sent)
  const applyChanges = (changes: SearchChanges<Search>) => toAddress(omitUnset<Search>({ ...search, page: undefined, ...changes }))
  return {
    search,
    change: (changes) => void navigate(applyChanges(changes)),
    replace: (next) => void navigate(toAddress(next)),
    link: (changes, children, attributes) => (
      <Link {...applyChanges(changes)} {...attributes}>
        {children}
      </Link>
    ),
    linkToAll: (children) => <Link {...toAddress(omitUnset<Search>({}))}>{children}</Link>,
  }
}

/** What the route itself reads from the address: the router adds whatever else stands there, such as a language, which filters nothing. */
function useOwnSearch<Search extends ListSearch>(search: Search): Search {
  const routes: object = useRouter().routesById
  const routeId = useMatch({ strict: false, shouldThrow: false, select: (match) => match.routeId })
  const route = routeId === undefined ? undefined : (Reflect.get(routes, routeId) as AnyRoute | undefined)
  const read: unknown = route?.options.validateSearch
  return typeof read === 'function' ? (read(search) as Search) : search
}
