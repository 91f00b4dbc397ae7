import type { CommonSettings, OwnSetting, SettingsSection } from './define-kind.ts'
import { type ActivityKind, getKind } from './kinds.ts'
import { SETTINGS_SECTIONS } from './define-kind.ts'

/** What can be set of an activity. `settings.` precedes what its kind declares. */
export type SettingName =
  | 'titleTranslations'
  | 'introTranslations'
  | 'stage'
  | 'opensAt'
  | 'closesAt'
  | 'postAccess'
  | 'reactAccess'
  | 'groupId'
  | 'moderation'
  | 'fields'
  | `settings.${keyof CommonSettings | OwnSetting}`

/** What every kind has, in its order. */
const COMMON_SECTIONS: Partial<Record<SettingsSection, readonly SettingName[]>> = {
  texts: ['titleTranslations', 'introTranslations'],
  access: ['postAccess', 'reactAccess', 'settings.verification', 'settings.shownNames'],
  asks: ['settings.categories', 'settings.photos', 'settings.asksArea', 'fields'],
  dates: ['stage', 'opensAt', 'closesAt'],
  moderation: ['moderation', 'settings.moderationDays'],
  results: ['settings.openData', 'settings.ledger'],
}

/** Sections of the page about an activity of this kind, with what is set in each. Those without any setting are left out. */
export function listSections(kind: ActivityKind): { section: SettingsSection; names: readonly SettingName[] }[] {
  const own = getKind(kind).sections
  return SETTINGS_SECTIONS.map((section) => ({
    section,
    names: [...(COMMON_SECTIONS[section] ?? []), ...(own[section] ?? []).map((name) => `settings.${name}` as const)],
  })).filter(({ names }) => names.length > 0)
}
