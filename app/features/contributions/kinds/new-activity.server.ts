import * as v from 'valibot'
import { LANGUAGES } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { StatusCode } from '#app/lib/vocabulary/contributions.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { CommonSettings } from './define-kind.ts'
import { type ActivityKind, getKind } from './kinds.ts'

interface StartingStatus {
  code: StatusCode
  title: Translated
  position: number
  needsText: boolean
}

/** The statuses of a kind, named in every language, since an administrator may rename them later. */
export const listStartingStatuses = (kind: ActivityKind): StartingStatus[] =>
  getKind(kind).statuses.map(({ code, needsText }, position) => ({
    code,
    title: Object.fromEntries(LANGUAGES.map((language) => [language, getTranslator(language, 'contributions')(`statuses.${code}`)])),
    position,
    needsText,
  }))

interface NewActivity {
  kind: ActivityKind
  categories: readonly CommonSettings['categories'][number][]
}

/**
 * What a new activity of a kind has, with the kind's defaults for all other settings.
 * @throws {v.ValiError} for categories that the kind refuses
 */
export const describeNewActivity = ({ kind, categories }: NewActivity): { settings: CommonSettings; statuses: StartingStatus[] } => ({
  settings: v.parse(getKind(kind).settings, { categories }),
  statuses: listStartingStatuses(kind),
})
