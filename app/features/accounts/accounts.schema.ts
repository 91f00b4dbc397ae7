import type { FollowMails } from '#app/features/follows/follows.schema.ts'
import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import * as v from 'valibot'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { contentLanguageSchema, languageSchema } from '#app/lib/language-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { isTimeZone } from '#app/lib/time-zones.ts'

/** Any printable characters; no control characters and no bidirectional overrides, which would reorder the surrounding text. */
const printablePattern = v.regex(/^[^\p{Cc}\u{202A}-\u{202E}\u{2066}-\u{2069}]*$/u, 'wrong-format')

export const emailSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.toLowerCase(), v.email())
/** Display name. Not unique. */
export const loginSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern)
/** A new password. `findPasswordFault` checks its strength, because it knows the person. */
export const newPasswordSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000))
/** A password to verify: no rules besides length. */
export const givenPasswordSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000))
export const tokenSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))
export const reasonSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500), v.regex(/^[^\p{Cc}]*$/u, 'wrong-format'))

export const signInSchema = v.object({
  email: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.toLowerCase()),
  password: givenPasswordSchema,
})
export type SignInInput = v.InferOutput<typeof signInSchema>

/** Six digits from an authenticator app, or a recovery code. */
export const secondStepCodeSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40))

export const registerSchema = v.object({
  login: loginSchema,
  email: emailSchema,
  password: newPasswordSchema,
  locale: v.optional(contentLanguageSchema),
  marketingConsent: v.optional(v.boolean(), false),
})
export type RegisterInput = v.InferOutput<typeof registerSchema>

export const forgotPasswordSchema = v.object({ email: emailSchema })
export const resetPasswordSchema = v.object({ token: tokenSchema, password: newPasswordSchema, login: v.optional(loginSchema) })

/** Whose password a link would set. `invited`: the account has had none, so its holder is welcomed and asked for a name. */
export interface PasswordReset {
  email: string
  invited: boolean
}

export const changePasswordSchema = v.object({ currentPassword: givenPasswordSchema, password: newPasswordSchema })
export const changeEmailSchema = v.object({ email: emailSchema, password: givenPasswordSchema })
export const deleteAccountSchema = v.object({ password: givenPasswordSchema })
export const profileSchema = v.object({
  login: v.optional(loginSchema),
  locale: v.optional(contentLanguageSchema),
  marketingConsent: v.optional(v.boolean()),
})
export type ProfileInput = v.InferOutput<typeof profileSchema>

export interface SessionView {
  id: string
  /** Parsed from the user agent; null if unknown. */
  browser: string | null
  system: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
  current: boolean
}

/** The viewer's own account. */
export interface AccountView {
  id: string
  email: string
  login: string
  locale: ContentLanguage
  confirmed: boolean
  /** A requested new address that is not confirmed yet. */
  pendingEmail: string | null
  marketingConsent: boolean
  followMails: FollowMails
  createdAt: Date
  roleName: string
  /** Whether two-step sign-in is on. */
  hasSecondStep: boolean
}

export const SITE_ROLES = ['site_admin', 'hub_admin', 'project_admin'] as const
export type SiteRole = (typeof SITE_ROLES)[number]

export const PEOPLE_SORTS = ['login', 'email', 'createdAt', 'lastSeenAt'] as const

/** active: address confirmed; invited: no password chosen yet; unconfirmed: registered, address not confirmed. */
export const PERSON_STATUSES = ['active', 'unconfirmed', 'invited', 'blocked'] as const
export type PersonStatus = (typeof PERSON_STATUSES)[number]

/** Periods in which a person took part for the first time or most recently. */
export const PARTICIPATION_TIMES = ['last-30-days', 'last-90-days', 'last-year', 'first-90-days', 'not-for-a-year'] as const
export type ParticipationTime = (typeof PARTICIPATION_TIMES)[number]

/** Filters of a list of people. */
export interface PeopleFilter {
  q?: string | undefined
  /** Only people with these ids. */
  ids?: readonly string[] | undefined
  role?: readonly (SiteRole | 'participant')[] | undefined
  status?: readonly PersonStatus[] | undefined
  /** Took part in this hub. */
  hub?: string | undefined
  project?: string | undefined
  /** Answered, contributed or replied in at least so many projects. */
  projectsAtLeast?: number | undefined
  /** The period in which they took part most recently or, for `first-90-days`, for the first time. `not-for-a-year`: more than a year ago. */
  tookPart?: ParticipationTime | undefined
  /** Follows a project on this topic. */
  followsTopic?: string | undefined
  group?: string | undefined
  /** What they said about themselves: `age:65-74,home:en`, OR within a question, AND between questions. */
  profile?: string | undefined
  locale?: ContentLanguage | undefined
  marketingConsent?: boolean | undefined
  blocked?: boolean | undefined
  confirmed?: boolean | undefined
}

export interface PeopleQuery extends PeopleFilter {
  sort: readonly { by: (typeof PEOPLE_SORTS)[number]; descending: boolean }[]
  offset: number
  limit: number
}

const dayCountSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3650))

/** The id of a question or option. */
const answerPartSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100))

/** Rule of a dynamic group: a person must match every condition. */
export const groupRuleSchema = v.pipe(
  v.strictObject({
    role: v.optional(v.pipe(v.array(v.picklist([...SITE_ROLES, 'participant'])), v.minLength(1))),
    hub: v.optional(idSchema),
    project: v.optional(idSchema),
    /** Has a contribution in this activity that is public or waits. */
    contributedTo: v.optional(idSchema),
    /** Supports a contribution of this activity. */
    supportedIn: v.optional(idSchema),
    /** Answered this survey, or chose this option of this question in it. */
    answered: v.optional(
      v.pipe(
        v.strictObject({ survey: idSchema, question: v.optional(answerPartSchema), option: v.optional(answerPartSchema) }),
        v.check(({ question, option }) => (question === undefined) === (option === undefined), 'required'),
      ),
    ),
    /** What they said about themselves, as `filter[profile]` has it. */
    profile: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(500),
        v.check((text) => parseProfileFilter(text) !== undefined, 'wrong-format'),
      ),
    ),
    locale: v.optional(contentLanguageSchema),
    marketingConsent: v.optional(v.boolean()),
    joinedWithinDays: v.optional(dayCountSchema),
    seenWithinDays: v.optional(dayCountSchema),
  }),
  v.check((rule) => Object.keys(rule).length > 0, 'required'),
)
export type GroupRule = v.InferOutput<typeof groupRuleSchema>
export const groupNameSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern)

/** A person as people managers see them. */
export interface Person {
  id: string
  email: string
  login: string
  locale: string
  type: 'participant' | 'administrator'
  roleName: SiteRole | 'platform_admin' | 'participant'
  status: PersonStatus
  confirmed: boolean
  hasSecondStep: boolean
  marketingConsent: boolean
  blockedAt: Date | null
  blockedReason: string | null
  lastSeenAt: Date | null
  createdAt: Date
}

/** A role held by a person. */
export interface Membership {
  id: string
  userId: string
  role: SiteRole
  hubId: string | null
  projectId: string | null
  /** The hub of the role's project, used to check the viewer's scope. */
  projectHubId: string | null
  mayExportPersonalData: boolean
  createdAt: Date
}

/** Regions that a site can choose; they decide how dates and numbers are formatted. */
export const REGIONS = ['Canada', 'United Kingdom', 'Australia', 'New Zealand', 'United States'] as const

export const firstAdminSchema = v.object({ token: tokenSchema, login: loginSchema, email: emailSchema, password: newPasswordSchema })
export const firstSiteSchema = v.object({
  siteName: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern),
  region: v.picklist(REGIONS),
  locale: languageSchema,
  languages: v.pipe(v.array(languageSchema), v.minLength(1)),
  timeZone: v.pipe(v.string(), v.check(isTimeZone, 'not-a-choice')),
  /** Who is invited to build the site. */
  adminEmail: emailSchema,
})
export type FirstSite = v.InferOutput<typeof firstSiteSchema>

export interface FirstAdminSetup {
  /** Host name of the first site; null if there is a site already. */
  host: string | null
  timeZones: string[]
}
