import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { PEOPLE_PER_PAGE, toPeopleFilter, type PeopleSearch } from './people-search.schema.ts'

const root = ['people'] as const

export const peopleQuery = ({ hide: _hide, ...search }: PeopleSearch) =>
  queryOptions({
    queryKey: [...root, 'list', search],
    queryFn: ({ signal }) =>
      api.list('users', {
        filter: toPeopleFilter(search),
        sort: search.sort ?? '-createdAt',
        page: { number: search.page ?? 1, size: PEOPLE_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

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

/** Hubs that the viewer may filter by and give roles in. */
export const placesQuery = queryOptions({
  queryKey: [...root, 'places'],
  queryFn: ({ signal }) => api.list('hubs', { filter: { mine: true }, page: { size: 100 }, signal }),
})

/** Activities that a group's rule can name. */
export const activityChoicesQuery = queryOptions({
  queryKey: [...root, 'activities'],
  queryFn: ({ signal }) => api.list('activities', { include: ['project'], sort: '-createdAt', page: { size: 100 }, signal }),
})

/** Projects that a group's rule can name, newest first. */
export const ruleProjectsQuery = queryOptions({
  queryKey: [...root, 'rule-projects'],
  queryFn: ({ signal }) => api.list('projects', { page: { size: 100 }, signal }),
})

/** Surveys that a group's rule can name. */
export const ruleSurveysQuery = queryOptions({
  queryKey: [...root, 'rule-surveys'],
  queryFn: ({ signal }) => api.list('surveys', { page: { size: 100 }, signal }),
})

/** Projects by part of their title, to give a role in one. */
export const projectChoicesQuery = (q: string) =>
  queryOptions({
    queryKey: [...root, 'projects', q],
    queryFn: ({ signal }) => api.list('projects', { filter: q ? { q } : {}, sort: 'title', page: { size: 20 }, signal }),
    placeholderData: keepPreviousData,
  })

export const invalidatePeople = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
