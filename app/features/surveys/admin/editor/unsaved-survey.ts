import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'
import type { SurveyDraft } from './survey-draft.ts'

interface UnsavedSurvey {
  /** The stored draft it is based on, and its lock version. */
  base: { draft: SurveyDraft; lockVersion: number }
  draft: SurveyDraft
  at: string
}

const buildStorageKey = (surveyId: string) => `${UNSAVED_ITEM.name}survey.${surveyId}`

/** Keeps unsaved changes on this device until they are saved, so that neither a server nor a browser crash loses them. */
export function keepUnsavedSurvey(surveyId: string, unsaved: UnsavedSurvey): void {
  try {
    localStorage.setItem(buildStorageKey(surveyId), JSON.stringify(unsaved))
  } catch {
    // Without storage, the draft still exists in the editor's memory.
  }
}

export const forgetUnsavedSurvey = (surveyId: string): void => localStorage.removeItem(buildStorageKey(surveyId))

/**
 * Unsaved changes from the last edit on this device.
 * @param now the stored draft, for fields that did not exist when the changes were kept
 */
export function findUnsavedSurvey(surveyId: string, now: SurveyDraft): UnsavedSurvey | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(buildStorageKey(surveyId)) ?? 'null') as Partial<UnsavedSurvey> | null
    if (!kept?.base || !Array.isArray(kept.draft?.definition.pages) || !Array.isArray(kept.base.draft.definition.pages)) return undefined
    const { at = new Date().toISOString(), base, draft } = kept
    return { at, base: { ...base, draft: { ...now, ...base.draft } }, draft: { ...now, ...draft } }
  } catch {
    return undefined
  }
}
