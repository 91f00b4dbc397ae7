import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
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
export function useList<Search extends ListSearch>(search: Search, toAddress: (search: Search) => ListAddress): List<Search> {
  const navigate = useNavigate()
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
