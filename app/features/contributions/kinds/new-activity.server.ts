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

/** The given settings with the defaults of the kind for all others. @throws {v.ValiError} for settings that the kind refuses */
export const completeSettings = (kind: ActivityKind, settings: Pick<CommonSettings, 'categories'>): CommonSettings =>
  v.parse(getKind(kind).settings, settings)
