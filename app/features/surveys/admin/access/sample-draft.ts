import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import type { Translated } from '#app/lib/translated.ts'

/** The form fields about a random sample, as typed so far. */
export interface SampleDraft {
  isSample: boolean
  sent: number | undefined
  population: number | undefined
  list: Translated
}

export const toSampleDraft = (sample: LetterSample | null): SampleDraft => ({
  isSample: sample !== null,
  sent: sample?.sent,
  population: sample?.population,
  list: sample?.list ?? {},
})

/** Numbers that are missing are sent as 0, which the server refuses beside their fields. */
export const toLetterSample = ({ isSample, sent = 0, population = 0, list }: SampleDraft): LetterSample | null =>
  isSample ? { sent, population, list } : null
