import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { hasText } from '#app/lib/translated.ts'
import {
  REACTION_CHOICES,
  type ReactionChoice,
  type ReactionValue,
  SHOWN_NAMES,
  type StatusCode,
} from '#app/lib/vocabulary/contributions.ts'
import { verificationRuleSchema } from '#app/features/verifications/verification-rule.schema.ts'
import { DEFAULT_VERIFICATION_RULE, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { MAX_PHOTOS } from '../record/photos.schema.ts'
import type { Shape } from '../record/drawing.schema.ts'

export const MAX_CATEGORIES = 3
const MAX_CATEGORIES_OFFERED = 30

const categorySchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)),
  title: v.pipe(createTranslatedSchema(80), v.check(hasText, 'required')),
  /** No longer offered; contributions that have it keep it. */
  archived: v.optional(v.boolean()),
})

export const createPhotosSetting = (usual: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_PHOTOS)), usual)

/** For kinds whose activities may ask whether people agree. Fixed once an activity has opened. */
export const reactionsSetting = v.optional(v.picklist(REACTION_CHOICES), 'support')

/** Activities from before people could disagree have no such setting. */
export const listReactionValues = (choice: ReactionChoice | undefined): readonly ReactionValue[] =>
  choice === 'agree_disagree' ? ['agree', 'disagree'] : ['support']

/** Settings that every kind has. */
export const commonSettings = {
  categories: v.optional(
    v.pipe(
      v.array(categorySchema),
      v.maxLength(MAX_CATEGORIES_OFFERED),
      v.check((all) => new Set(all.map(({ id }) => id)).size === all.length, 'taken'),
    ),
    [],
  ),
  /** How people may choose to be named. */
  shownNames: v.optional(v.pipe(v.array(v.picklist(SHOWN_NAMES)), v.minLength(1)), ['first_name', 'anonymous']),
  asksArea: v.optional(v.boolean(), false),
  /** What is published can be downloaded by everybody, to use as they like. */
  openData: v.optional(v.boolean(), false),
  /** A salted hash of each contribution is added to a public chain. Fixed once an activity has opened. */
  ledger: v.optional(v.boolean()),
  /** Within how many days a moderator decides, as people are told after sending. */
  moderationDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(30)), 3),
  /** Whom an activity for verified people lets in; by default, those who are known to live here. */
  verification: v.optional(verificationRuleSchema),
  /** Photos that a contribution may have. */
  photos: createPhotosSetting(0),
}

const commonSchema = v.strictObject(commonSettings)
export type CommonSettings = v.InferOutput<typeof commonSchema>

export const getVerificationRule = ({ verification }: Pick<CommonSettings, 'verification'>): VerificationRule =>
  verification ?? DEFAULT_VERIFICATION_RULE

/** What people can do in an activity of this kind. */
export interface Tools {
  /** Contributions have titles of their own; otherwise the first words of the text stand for one. */
  titles: boolean
  reactions: readonly ReactionValue[]
  replies: boolean
  /** The team answers with a status. */
  answers: boolean
  /** How many photos a contribution may have. */
  photos?: number
  /** Contributions lie on a map, as one of these shapes; `border` says what happens to a place outside the site's areas. */
  places?: { border: 'warn' | 'refuse'; geometries: readonly Shape[] }
  /** Contributions are questions: support is asking the same, and the team answers within so many working days. */
  question?: { workingDays: number }
}

/** Sections of the page about an activity, in their order. */
export const SETTINGS_SECTIONS = ['texts', 'map', 'access', 'asks', 'dates', 'moderation', 'answers', 'results'] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

/** What only some kinds can set. */
export type OwnSetting = 'reactions' | 'geometries' | 'border' | 'answerDays' | 'titles' | 'replies' | 'support'

export interface ActivityKindModule {
  settings: v.GenericSchema<unknown, CommonSettings>
  /** In which section each of its own settings stands; those that every kind has are in `sections.ts`. */
  sections: Partial<Record<SettingsSection, readonly OwnSetting[]>>
  maxTitle: number
  maxBody: number
  chooseTools: (settings: CommonSettings) => Tools
  /** The statuses that a new activity starts with, in order. `needsText`: the team must say why. */
  statuses: readonly { code: StatusCode; needsText: boolean }[]
}

/** Declares a kind of activity: a folder here, found by its name when `npm run routes` writes `kinds.gen.ts`. */
export function defineKind<S extends v.GenericSchema<unknown, CommonSettings>>(declaration: {
  settings: S
  sections: ActivityKindModule['sections']
  maxTitle: number
  maxBody: number
  chooseTools: (settings: v.InferOutput<S>) => Tools
  statuses: ActivityKindModule['statuses']
}): ActivityKindModule {
  return declaration
}

/** Every status; the last three need a text. */
export const ALL_STATUSES: ActivityKindModule['statuses'] = [
  { code: 'received', needsText: false },
  { code: 'under_review', needsText: false },
  { code: 'planned', needsText: false },
  { code: 'under_way', needsText: false },
  { code: 'done', needsText: true },
  { code: 'not_taken_forward', needsText: true },
  { code: 'answered', needsText: true },
]
