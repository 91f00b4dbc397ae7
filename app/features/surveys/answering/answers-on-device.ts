import * as device from '#app/features/participation/keeping/kept-on-device.ts'
import { ANSWERS_ITEM } from '#app/lib/answer-items.ts'
import type { Answers } from '../surveys.schema.ts'

const buildStorageKey = (surveyId: string) => `${ANSWERS_ITEM.name}${surveyId}`

/** What a device stores for a survey: the fields of its form, or the answers of its steps. */
interface StoredAnswers {
  fields?: device.FormFields
  steps?: { id: string; sendKey: string; version: number; answers: Answers }
}

/**
 * @param surveyId null for a preview, which stores nothing
 * @returns false if storage is full or disabled: the page then does not claim to save
 */
export const storeOnDevice = (surveyId: string | null, kept: StoredAnswers): boolean =>
  surveyId !== null && device.storeOnDevice(buildStorageKey(surveyId), kept)

export const readFromDevice = (surveyId: string | null): StoredAnswers =>
  surveyId === null ? {} : device.readFromDevice<StoredAnswers>(buildStorageKey(surveyId), ANSWERS_ITEM.seconds)

/** Whether the device has answers that were not sent. */
export function hasAnswersOnDevice(surveyId: string): boolean {
  const { fields, steps } = readFromDevice(surveyId)
  return fields !== undefined || steps !== undefined
}

export function removeFromDevice(surveyId: string | null): void {
  if (surveyId !== null) device.removeFromDevice(buildStorageKey(surveyId))
}
