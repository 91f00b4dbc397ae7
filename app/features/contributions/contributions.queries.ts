import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '#app/shell/api.ts'
import { CONTRIBUTIONS_ROOT } from '#app/shell/query-roots.ts'
import type { ChosenOnDesk, DeskSearch, DeskStep } from './desk/desk-search.ts'
import {
  loadAnswerSets,
  loadDesk,
  loadDeskEntry,
  loadDeskFrame,
  loadSetMembers,
  planAnswer,
  planStep,
  planAssignment,
} from './desk/desk.functions.ts'
import { readAssignees } from './questions/questions.functions.ts'
import { readCaseModerators } from './moderation/moderation.functions.ts'
import type { QueueSearch } from './moderation/queue-search.ts'

const root = CONTRIBUTIONS_ROOT

export const stagesQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'stages', project],
    queryFn: ({ signal }) => api.list('project-stages', { filter: { project }, page: { size: 100 }, signal }),
  })

export const activitiesQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'activities', project],
    queryFn: ({ signal }) => api.list('activities', { filter: { project }, page: { size: 100 }, signal }),
  })

export const activityQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'activity', id], queryFn: ({ signal }) => api.get('activities', id, { signal }) })

/** Whether the draft waits for a colleague, or was returned; an empty list if neither. */
export const activityReviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'review', id],
    queryFn: ({ signal }) => api.list('activity-reviews', { filter: { activity: id }, signal }),
    staleTime: 0,
  })

/** What waits for a decision, the oldest first. */
export const heldContributionsQuery = queryOptions({
  queryKey: [...root, 'held'],
  queryFn: ({ signal }) =>
    api.list('contributions', {
      filter: { state: ['held'], answered: ['no'] },
      include: ['activity'],
      sort: 'submittedAt',
      page: { size: 50 },
      signal,
    }),
})

/** What waits for an answer, the first due on top. */
export const openQuestionsQuery = queryOptions({
  queryKey: [...root, 'open-questions'],
  queryFn: ({ signal }) =>
    api.list('contributions', {
      filter: { question: ['asked', 'assigned'] },
      include: ['activity'],
      sort: 'dueAt',
      page: { size: 50 },
      signal,
    }),
})

export const assigneesQuery = (question: string) =>
  queryOptions({ queryKey: [...root, 'assignees', question], queryFn: () => readAssignees({ data: { id: question } }) })

export const heldRepliesQuery = queryOptions({
  queryKey: [...root, 'held-replies'],
  queryFn: ({ signal }) =>
    api.list('replies', { filter: { state: ['held'] }, include: ['contribution'], sort: 'createdAt', page: { size: 50 }, signal }),
})

/** A page of the list of contributions that the viewer may moderate. */
export const deskQuery = (search: DeskSearch) =>
  queryOptions({
    queryKey: [...root, 'desk', search],
    queryFn: ({ signal }) => loadDesk({ data: search, signal }),
    placeholderData: keepPreviousData,
  })

/** What is counted and offered beside that list, if it is filtered by an activity or by none. */
export const deskFrameQuery = (activity: string | null = null) =>
  queryOptions({
    queryKey: [...root, 'desk-frame', activity],
    queryFn: ({ signal }) => loadDeskFrame({ data: { activity }, signal }),
  })

/** What the public sees of a contribution, what was done with it, and its neighbours in the list from which it was opened. */
export const deskEntryQuery = (id: string, search: DeskSearch) =>
  queryOptions({
    queryKey: [...root, 'desk-entry', id, search],
    queryFn: ({ signal }) => loadDeskEntry({ data: { id, search }, signal }),
  })

/** Which contributions a step would affect, and how many. Never cached. */
export const deskAssignmentQuery = (chosen: ChosenOnDesk) =>
  queryOptions({
    queryKey: [...root, 'desk-assignment', chosen],
    queryFn: ({ signal }) => planAssignment({ data: { chosen }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** What can be answered of the chosen contributions, and with which statuses. Never cached. */
export const deskAnswerQuery = (chosen: ChosenOnDesk) =>
  queryOptions({
    queryKey: [...root, 'desk-answer', chosen],
    queryFn: ({ signal }) => planAnswer({ data: { chosen }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** How often a list asks how far a job is. */
const LOOK_AGAIN_MS = 1000

/** Answers to many that are drafted, wait for agreement or are being sent. */
export const answerSetsQuery = queryOptions({
  queryKey: [...root, 'answer-sets'],
  queryFn: ({ signal }) => loadAnswerSets({ signal }),
  refetchInterval: ({ state }) => (state.data?.some((set) => set.state === 'waiting' || set.state === 'running') ? LOOK_AGAIN_MS : false),
})

/** What one of them is going to. */
export const setMembersQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'set-members', id, page],
    queryFn: ({ signal }) => loadSetMembers({ data: { id, page }, signal }),
    placeholderData: keepPreviousData,
  })

export const deskPlanQuery = (step: DeskStep, chosen: ChosenOnDesk) =>
  queryOptions({
    queryKey: [...root, 'desk-plan', step, chosen],
    queryFn: ({ signal }) => planStep({ data: { step, chosen }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

export const contributionQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => api.get('contributions', id, { include: ['activity', 'status', 'mergedInto'], signal }),
  })

export const statusesQuery = (activity: string) =>
  queryOptions({
    queryKey: [...root, 'statuses', activity],
    queryFn: ({ signal }) => api.list('contribution-statuses', { filter: { activity }, page: { size: 100 }, signal }),
  })

export const officialResponsesQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'answers', contribution],
    queryFn: ({ signal }) => api.list('official-responses', { filter: { contribution }, include: ['status'], page: { size: 50 }, signal }),
  })

/** The draft of an answer, if there is one. */
export const answerDraftQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'answer-draft', contribution],
    queryFn: ({ signal }) => api.list('official-response-drafts', { filter: { contribution }, signal }),
  })

/** What the team notes about a contribution, the newest first. */
export const notesQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'notes', contribution],
    queryFn: ({ signal }) => api.list('contribution-notes', { filter: { contribution }, page: { size: 100 }, signal }),
  })

/** Translations that readers asked for, of a contribution with its replies and answers. */
export const translationsQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'translations', contribution],
    queryFn: ({ signal }) => api.list('contribution-translations', { filter: { contribution }, page: { size: 100 }, signal }),
  })

/** Merges and relations of a contribution that stand. */
export const linksQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'links', contribution],
    queryFn: ({ signal }) =>
      api.list('contribution-links', {
        filter: { contribution, ended: false },
        include: ['contribution', 'target'],
        page: { size: 100 },
        signal,
      }),
  })

/** Merges that the author objects to. */
export const objectionsQuery = queryOptions({
  queryKey: [...root, 'objections'],
  queryFn: ({ signal }) =>
    api.list('contribution-links', {
      filter: { objected: true, objectionAnswered: false, ended: false },
      include: ['contribution', 'target'],
      page: { size: 50 },
      signal,
    }),
})

/** Published contributions of an activity, by number or words. */
export const linkableQuery = (place: { activity: string } | { project: string }, words: string) =>
  queryOptions({
    queryKey: [...root, 'linkable', place, words],
    queryFn: ({ signal }) =>
      api.list('contributions', {
        filter: { ...place, state: ['published'], ...(/^\d{1,9}$/.test(words) ? { number: Number(words) } : { q: words }) },
        include: ['activity'],
        page: { size: 10 },
        signal,
      }),
    enabled: words.length > 0,
  })

export const moderationRulesQuery = queryOptions({
  queryKey: [...root, 'moderation-rules'],
  queryFn: ({ signal }) => api.list('moderation-rules', { page: { size: 100 }, signal }),
})

/** None for those who may not change them. */
export const wordListsQuery = queryOptions({
  queryKey: [...root, 'moderation-word-lists'],
  queryFn: ({ signal }) => api.list('moderation-word-lists', { signal }),
})

/** What readers reported and nobody has decided about, the first due on top. */
export const reportedCasesQuery = queryOptions({
  queryKey: [...root, 'reported'],
  queryFn: ({ signal }) =>
    api.list('moderation-cases', {
      filter: { state: ['open'], reported: true },
      include: ['contribution', 'reply'],
      sort: 'dueAt',
      page: { size: 50 },
      signal,
    }),
})

export const CASES_PER_PAGE = 25

/** Who may decide all of these cases. */
export const caseModeratorsQuery = (ids: readonly string[]) =>
  queryOptions({ queryKey: [...root, 'case-moderators', ids], queryFn: () => readCaseModerators({ data: { ids: [...ids] } }) })

/** Cases with their texts, as the moderation screen lists them. */
export const moderationQueueQuery = (search: QueueSearch, viewerId: string) =>
  queryOptions({
    queryKey: [...root, 'queue', search, viewerId],
    queryFn: async ({ signal }) => {
      const cases = await api.list('moderation-cases', {
        filter: {
          state: [search.state ?? 'open'],
          ...(search.project && { project: search.project }),
          ...(search.openedBy && { openedBy: [search.openedBy] }),
          ...(search.assignee === 'me' && { assignee: viewerId }),
          ...(search.assignee === 'nobody' && { assigned: false }),
        },
        include: ['contribution', 'reply'],
        sort: search.sort ?? 'dueAt',
        page: { number: search.page ?? 1, size: CASES_PER_PAGE },
        signal,
      })
      // A row chosen on one page is decided from another one.
      const data = cases.data.map((row) => {
        const contribution = findLinked(cases, row.relationships.contribution)
        const reply = findLinked(cases, row.relationships.reply)
        const isReply = row.relationships.reply !== null
        return { ...row, name: contribution?.title ?? '', contribution, isReply, text: isReply ? reply : contribution }
      })
      return { data, meta: cases.meta }
    },
    placeholderData: keepPreviousData,
  })
export type QueuedCase = Awaited<ReturnType<NonNullable<ReturnType<typeof moderationQueueQuery>['queryFn']>>>['data'][number]

/** Why moderators should look at a contribution or at replies to it. */
export const openCasesQuery = (contribution: string) =>
  queryOptions({
    queryKey: [...root, 'open-cases', contribution],
    queryFn: ({ signal }) => api.list('moderation-cases', { filter: { contribution, state: ['open'] }, page: { size: 100 }, signal }),
  })

export const isOverdue = ({ dueAt, state }: Pick<QueuedCase, 'dueAt' | 'state'>): boolean =>
  state === 'open' && Date.parse(dueAt) < Date.now()

export const reportsQuery = (moderationCase: string) =>
  queryOptions({
    queryKey: [...root, 'reports', moderationCase],
    queryFn: ({ signal }) => api.list('moderation-reports', { filter: { case: moderationCase }, page: { size: 100 }, signal }),
  })

/** Appeals that wait for a decision, the oldest first. */
export const pendingAppealsQuery = queryOptions({
  queryKey: [...root, 'appeals'],
  queryFn: ({ signal }) =>
    api.list('moderation-appeals', {
      filter: { state: ['pending'] },
      include: ['decision', 'contribution', 'reply'],
      page: { size: 50 },
      signal,
    }),
})

export const moderationSettingsQuery = queryOptions({
  queryKey: [...root, 'moderation-settings'],
  queryFn: ({ signal }) => api.list('moderation-settings', { signal }),
})

export const forgetContributions = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
