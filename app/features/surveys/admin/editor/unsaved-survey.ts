import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'
import type { SurveyDraft } from './survey-draft.ts'

interface UnsavedSurvey {
  /** What it was made from, and its version. */
  base: { draft: SurveyDraft; lockVersion: number }
  draft: SurveyDraft
  at: string
}

const buildStorageKey = (surveyId: string) => `${UNSAVED_ITEM.name}survey.${surveyId}`

/** Keeps on this device what is not saved yet, until it is: neither a server nor a browser that dies takes it along. */
export function keepUnsavedSurvey(surveyId: string, unsaved: UnsavedSurvey): void {
  try {
    localStorage.setItem(buildStorageKey(surveyId), JSON.stringify(unsaved))
  } catch {
    // A device that keeps nothing has the editor's own memory.
  }
}

export const forgetUnsavedSurvey = (surveyId: string): void => localStorage.removeItem(buildStorageKey(surveyId))

/** What could not be saved the last time this survey was edited here. @param now what is stored, for what was not known yet when it was kept */
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
