import { isAppError } from '#app/lib/app-error.ts'
import type { Choice } from '#app/ui/admin/search-choice.tsx'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '../api.ts'

/** What the query keys of all searched records begin with. */
export const RECORD_CHOICES = ['record-choice'] as const

/** How many records a list offers before one types. */
const RECORDS_OFFERED = 20

/** Records of one kind that can be chosen. The server searches them, however many there are. */
export interface RecordSource {
  /** Names the source in the query cache. */
  key: readonly unknown[]
  find: (words: string, signal: AbortSignal) => Promise<{ choices: Choice[]; total: number }>
  /** The record with this id, or null if it is gone or hidden from the viewer. */
  load: (id: string, signal: AbortSignal) => Promise<Choice | null>
}

const page = { size: RECORDS_OFFERED }

const byWords = (words: string): { q?: string } => (words ? { q: words } : {})

const toChoices = <Row>(found: { data: readonly Row[]; meta: { total: number } }, toChoice: (row: Row) => Choice) => ({
  choices: found.data.map(toChoice),
  total: found.meta.total,
})

const toTitled = ({ id, title }: { id: string; title: string }): Choice => ({ id, name: title })

async function orNull(loading: Promise<Choice>): Promise<Choice | null> {
  try {
    return await loading
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    throw error
  }
}

/** Departments, `mine` being those that the viewer administers. */
export const hubSource = (filter: { mine?: true } = {}): RecordSource => ({
  key: ['hubs', filter],
  find: async (words, signal) =>
    toChoices(
      await api.list('hubs', { filter: { ...filter, ...byWords(words) }, fields: { hubs: ['title'] }, sort: 'title', page, signal }),
      toTitled,
    ),
  load: (id, signal) => orNull(api.get('hubs', id, { fields: { hubs: ['title'] }, signal }).then(({ data }) => toTitled(data))),
})

/** Projects, `managed` being those that the viewer may change. */
export const projectSource = (filter: { managed?: true; hub?: string[] } = {}): RecordSource => ({
  key: ['projects', filter],
  find: async (words, signal) =>
    toChoices(
      await api.list('projects', {
        filter: { ...filter, ...byWords(words) },
        fields: { projects: ['title'] },
        sort: 'title',
        page,
        signal,
      }),
      toTitled,
    ),
  load: (id, signal) => orNull(api.get('projects', id, { fields: { projects: ['title'] }, signal }).then(({ data }) => toTitled(data))),
})

/** Surveys, `byText` being those that can be answered by text message. */
export const surveySource = (filter: { managed?: true; byText?: true; status?: 'published'[] } = {}): RecordSource => ({
  key: ['surveys', filter],
  find: async (words, signal) =>
    toChoices(
      await api.list('surveys', { filter: { ...filter, ...byWords(words) }, fields: { surveys: ['title'] }, sort: 'title', page, signal }),
      toTitled,
    ),
  load: (id, signal) => orNull(api.get('surveys', id, { fields: { surveys: ['title'] }, signal }).then(({ data }) => toTitled(data))),
})

/** Groups of people, `byHand` being those to which people can be added. */
export const groupSource = (filter: { byHand?: true } = {}): RecordSource => ({
  key: ['groups', filter],
  find: async (words, signal) =>
    toChoices(await api.list('groups', { filter: { ...filter, ...byWords(words) }, page, signal }), ({ id, name }) => ({ id, name })),
  load: (id, signal) => orNull(api.get('groups', id, { signal }).then(({ data }) => ({ id: data.id, name: data.name }))),
})

/** Activities with their projects, newest first. */
export const activitySource = (filter: { project?: string } = {}): RecordSource => ({
  key: ['activities', filter],
  find: async (words, signal) => {
    const found = await api.list('activities', {
      filter: { ...filter, ...byWords(words) },
      include: ['project'],
      sort: '-createdAt',
      page,
      signal,
    })
    return toChoices(found, ({ id, title, relationships }) => ({
      id,
      name: title,
      note: findLinked(found, relationships.project)?.title,
    }))
  },
  load: (id, signal) => orNull(api.get('activities', id, { signal }).then(({ data }) => toTitled(data))),
})
