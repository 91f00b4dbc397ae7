import { ANSWERS_ITEM } from '#app/lib/stored-items.ts'
import type { Answers } from '../surveys.schema.ts'

const keyOf = (surveyId: string) => `${ANSWERS_ITEM.name}${surveyId}`

export type Fields = [name: string, value: string][]

/** What a device holds of a survey: the fields of its form, or the answers of its steps. */
interface Kept {
  fields?: Fields
  steps?: { id: string; sendKey: string; version: number; answers: Answers }
}

/** @param surveyId null for a preview, of which nothing is kept @returns false where storage is full or switched off: the page then says nothing of saving */
export function keepOnDevice(surveyId: string | null, kept: Kept): boolean {
  if (surveyId === null) return false
  try {
    localStorage.setItem(keyOf(surveyId), JSON.stringify({ at: Date.now(), ...kept }))
    return true
  } catch {
    return false
  }
}

export function keptOnDevice(surveyId: string | null): Kept {
  if (surveyId === null) return {}
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(surveyId)) ?? 'null') as (Kept & { at: number }) | null
    if (stored && Date.now() - stored.at < ANSWERS_ITEM.seconds * 1000) return stored
    if (stored) dropFromDevice(surveyId)
  } catch {
    // Switched off, or not what we stored.
  }
  return {}
}

export function dropFromDevice(surveyId: string | null): void {
  if (surveyId === null) return
  try {
    localStorage.removeItem(keyOf(surveyId))
  } catch {
    // Switched off: there is nothing to drop.
  }
}
