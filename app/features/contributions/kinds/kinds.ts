import { getDefaults } from 'valibot'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { type ActivityKindModule, type CommonSettings, getVerificationRule } from './define-kind.ts'
import { KINDS } from './kinds.gen.ts'

export type ActivityKind = keyof typeof KINDS
export const ACTIVITY_KINDS = Object.keys(KINDS) as ActivityKind[]

export const isActivityKind = (name: string): name is ActivityKind => Object.hasOwn(KINDS, name)

/** @throws {Error} for a kind whose folder is gone */
export function getKind(name: string): ActivityKindModule {
  if (!isActivityKind(name)) throw new Error(`There is no kind of activity named ${name}`)
  return KINDS[name]
}

/** The settings that activities of a kind have, as they are unless somebody changes them. One without a default is undefined. */
export function getDefaultSettings(kind: ActivityKind): Partial<CommonSettings> & Record<string, unknown> {
  const defaults: unknown = getDefaults(KINDS[kind].settings)
  return defaults as Partial<CommonSettings> & Record<string, unknown>
}

/** An activity's own settings and what its kind makes of them. */
export function readActivitySettings(activity: { kind: string; settings: unknown }): {
  kind: ActivityKindModule
  settings: CommonSettings
  tools: ReturnType<ActivityKindModule['chooseTools']>
} {
  const kind = getKind(activity.kind)
  const settings = activity.settings as CommonSettings
  return { kind, settings, tools: kind.chooseTools(settings) }
}

/** Whom an activity lets in, where only verified people may take part. */
export const readVerificationRule = (activity: { kind: string; settings: unknown }): VerificationRule =>
  getVerificationRule(readActivitySettings(activity).settings)
