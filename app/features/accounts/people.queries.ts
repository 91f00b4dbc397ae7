import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { RECORD_CHOICES } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { PEOPLE_PER_PAGE, toPeopleFilter, type PeopleSearch } from './people-search.schema.ts'

const root = ['people'] as const

/** @param search with the columns that are hidden: groups are only loaded to be shown */
export const peopleQuery = ({ hide, ...search }: PeopleSearch) => {
  const showsGroups = hide !== undefined && !hide.split(',').includes('groups')
  return queryOptions({
    queryKey: [...root, 'list', search, { showsGroups }],
    queryFn: ({ signal }) =>
      api.list('users', {
        filter: toPeopleFilter(search),
        sort: search.sort ?? '-createdAt',
        page: { number: search.page ?? 1, size: PEOPLE_PER_PAGE },
        ...(showsGroups && { include: ['groups'] as const }),
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => api.get('users', id, { include: ['groups'], signal }),
  })

/** One person's roles and where they apply. */
export const personRolesQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'roles', id],
    queryFn: ({ signal }) => api.list('memberships', { filter: { user: id }, include: ['hub', 'project'], page: { size: 100 }, signal }),
  })

export const groupsQuery = queryOptions({
  queryKey: [...root, 'groups'],
  queryFn: ({ signal }) => api.list('groups', { include: ['hub'], page: { size: 100 }, signal }),
})

/** Invalidates people and groups, and the lists in which groups can be chosen. */
export const invalidatePeople = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([root, RECORD_CHOICES].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
