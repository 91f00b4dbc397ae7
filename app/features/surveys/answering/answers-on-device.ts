import { ANSWERS_ITEM } from '#app/lib/answer-items.ts'
import type { Answers } from '../surveys.schema.ts'

const buildStorageKey = (surveyId: string) => `${ANSWERS_ITEM.name}${surveyId}`

export type FormFields = [name: string, value: string][]

/** What a device stores for a survey: the fields of its form, or the answers of its steps. */
interface StoredAnswers {
  fields?: FormFields
  steps?: { id: string; sendKey: string; version: number; answers: Answers }
}

/**
 * @param surveyId null for a preview, which stores nothing
 * @returns false if storage is full or disabled: the page then does not claim to save
 */
export function storeOnDevice(surveyId: string | null, kept: StoredAnswers): boolean {
  if (surveyId === null) return false
  try {
    localStorage.setItem(buildStorageKey(surveyId), JSON.stringify({ at: Date.now(), ...kept }))
    return true
  } catch {
    return false
  }
}

export function readFromDevice(surveyId: string | null): StoredAnswers {
  if (surveyId === null) return {}
  try {
    const stored = JSON.parse(localStorage.getItem(buildStorageKey(surveyId)) ?? 'null') as (StoredAnswers & { at: number }) | null
    if (stored && Date.now() - stored.at < ANSWERS_ITEM.seconds * 1000) return stored
    if (stored) removeFromDevice(surveyId)
  } catch {
    // Storage is disabled, or holds something we did not write.
  }
  return {}
}

/** Whether the device has answers that were not sent. */
export function hasAnswersOnDevice(surveyId: string): boolean {
  const { fields, steps } = readFromDevice(surveyId)
  return fields !== undefined || steps !== undefined
}

export function removeFromDevice(surveyId: string | null): void {
  if (surveyId === null) return
  try {
    localStorage.removeItem(buildStorageKey(surveyId))
  } catch {
    // Storage is disabled: there is nothing to remove.
  }
}
