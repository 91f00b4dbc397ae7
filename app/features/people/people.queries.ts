import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { PersonSearch } from './activity.schema.ts'
import { getActivity, getParticipations } from './people.functions.ts'

/** A page of what one person did, newest first. */
export const activityQuery = (id: string, search: PersonSearch) =>
  queryOptions({
    queryKey: ['people', 'activity', id, search],
    queryFn: () => getActivity({ data: { id, ...search } }),
    placeholderData: keepPreviousData,
  })

/** In how many projects the people of a page took part, and when. */
export const participationsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['people', 'participations', ids],
    queryFn: () => getParticipations({ data: { ids: ids.join() } }),
    enabled: ids.length > 0,
  })

/** Root of the keys of notes, for invalidation. */
export const PERSON_NOTES = ['people', 'notes'] as const

/** What the team noted about one person, newest first. */
export const personNotesQuery = (id: string) =>
  queryOptions({
    queryKey: [...PERSON_NOTES, id],
    queryFn: ({ signal }) => api.list('person-notes', { filter: { user: id }, page: { size: 100 }, signal }),
  })
