import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { DraftStore } from '#app/shell/admin/drafts/draft.ts'
import { useDraft } from '#app/shell/admin/drafts/use-draft.ts'
import { api } from '#app/shell/api.ts'
import { invalidateSurvey, surveyQuery } from '../../surveys.queries.ts'
import type { Definition } from '../../surveys.schema.ts'
import { keepBothVersions, listChangedFields, mergeDrafts, type Survey, type SurveyDraft, toSurveyDraft } from './survey-draft.ts'

/** A save without an answer for this long counts as failed. */
const SAVE_TIMEOUT_MS = 15_000

/**
 * A survey's draft in the editor. Its versions are counted by the lock version of the survey's row: texts, settings and times apply as soon as
 * they are saved. Only the questions have revisions.
 */
export function useSurveyDraft(survey: Survey) {
  const queryClient = useQueryClient()
  const restored = useRef<RestoredDefinition>(undefined)
  const draft = useDraft(() => createSurveyStore(survey, restored, queryClient), {
    id: String(survey.meta.lockVersion),
    content: toSurveyDraft(survey),
  })
  const [before, now] = [draft.base.content, draft.content]
  const changed = useMemo(() => listChangedFields(before, now), [before, now])
  return {
    ...draft,
    changed,
    /** @param place the field, so that uninterrupted typing is one undo step */
    changeFields: (next: Partial<SurveyDraft>, place?: string) => draft.change((now) => ({ ...now, ...next }), place),
    changeDefinition: (edit: (definition: Definition) => Definition, place?: string) =>
      draft.change((now) => ({ ...now, definition: edit(now.definition) }), place),
    /** @param note says in the history where the definition is from */
    restoreDefinition: (definition: Definition, note: string) => {
      restored.current = { definition, note }
      draft.change((now) => ({ ...now, definition }))
    },
  }
}

export type SurveyEditing = ReturnType<typeof useSurveyDraft>

/** A restored version that is not saved yet. Its note belongs to this definition only. */
interface RestoredDefinition {
  definition: Definition
  note: string
}

function createSurveyStore(
  survey: Survey,
  restored: { current: RestoredDefinition | undefined },
  queryClient: QueryClient,
): DraftStore<SurveyDraft> {
  const { id } = survey
  return {
    name: `survey.${id}`,
    write: (draft) => draft,
    read: (written) => readSurveyDraft(written, toSurveyDraft(survey)),
    save: async (draft, base) => {
      const changed = Object.fromEntries(listChangedFields(base.content, draft).map((name) => [name, draft[name]]))
      const note = changed.definition && draft.definition === restored.current?.definition ? { revisionNote: restored.current.note } : {}
      const attributes = { ...changed, ...note }
      const signal = AbortSignal.timeout(SAVE_TIMEOUT_MS)
      const saved = await api.update('surveys', id, { attributes }, { lockVersion: Number(base.id), include: ['project'], signal })
      queryClient.setQueryData(surveyQuery(id).queryKey, saved)
      void invalidateSurvey(queryClient)
      return String(saved.data.meta.lockVersion)
    },
    loadNewest: async () => {
      const { data } = await queryClient.fetchQuery({ ...surveyQuery(id), staleTime: 0 })
      return { id: String(data.meta.lockVersion), content: toSurveyDraft(data) }
    },
    merge: mergeDrafts,
    both: keepBothVersions,
    // Each save is in the audit trail, and refreshes a published survey's pages.
    debounceMs: 900,
    maxDelayMs: 5000,
  }
}

/** @param now for fields that did not exist when the copy was written */
function readSurveyDraft(written: unknown, now: SurveyDraft): SurveyDraft {
  const read = written as SurveyDraft
  if (!Array.isArray(read.definition.pages)) throw new TypeError('Not a survey')
  return { ...now, ...read }
}
