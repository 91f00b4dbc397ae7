import type { FollowMails } from '#app/features/follows/follows.schema.ts'
import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import { languageSchema } from '#app/lib/language-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'

/** Letters of any script, figures and signs; nothing that cannot be seen or that turns the text around it. */
const printablePattern = v.regex(/^[^\p{Cc}\u{202A}-\u{202E}\u{2066}-\u{2069}]*$/u, 'wrong-format')

export const emailSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.toLowerCase(), v.email())
/** The name shown with what somebody writes. Two people may have the same. */
export const loginSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern)
/** A password to be chosen: its rules are `findPasswordFault`'s, which knows whom it is for. */
export const newPasswordSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000))
/** A password to be checked: whatever somebody types. */
export const givenPasswordSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000))
export const tokenSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))
export const reasonSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500), v.regex(/^[^\p{Cc}]*$/u, 'wrong-format'))

export const signInSchema = v.object({
  email: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.toLowerCase()),
  password: givenPasswordSchema,
})
export type SignInInput = v.InferOutput<typeof signInSchema>

export const registerSchema = v.object({
  login: loginSchema,
  email: emailSchema,
  password: newPasswordSchema,
  locale: v.optional(languageSchema),
  marketingConsent: v.optional(v.boolean(), false),
})
export type RegisterInput = v.InferOutput<typeof registerSchema>

export const forgotPasswordSchema = v.object({ email: emailSchema })
export const resetPasswordSchema = v.object({ token: tokenSchema, password: newPasswordSchema })
export const changePasswordSchema = v.object({ currentPassword: givenPasswordSchema, password: newPasswordSchema })
export const changeEmailSchema = v.object({ email: emailSchema, password: givenPasswordSchema })
export const deleteAccountSchema = v.object({ password: givenPasswordSchema })
export const profileSchema = v.object({
  login: v.optional(loginSchema),
  locale: v.optional(languageSchema),
  marketingConsent: v.optional(v.boolean()),
})
export type ProfileInput = v.InferOutput<typeof profileSchema>

/** A device that is signed in. */
export interface SessionView {
  id: string
  /** Guessed from what the browser calls itself; null where it says nothing that is known. */
  browser: string | null
  system: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
  current: boolean
}

/** The signed-in person's account, as its own page shows it. */
export interface AccountView {
  id: string
  email: string
  login: string
  locale: string
  confirmed: boolean
  /** An address asked for that waits to be confirmed. */
  pendingEmail: string | null
  marketingConsent: boolean
  followMails: FollowMails
  createdAt: Date
  roleName: string
}

export const SITE_ROLES = ['site_admin', 'hub_admin', 'project_admin'] as const
export type SiteRole = (typeof SITE_ROLES)[number]

export const PEOPLE_SORTS = ['login', 'email', 'createdAt', 'lastSeenAt'] as const

/** active: with a confirmed address; invited: has not chosen a password yet; unconfirmed: registered, address not confirmed. */
export const PERSON_STATUSES = ['active', 'unconfirmed', 'invited', 'blocked'] as const
export type PersonStatus = (typeof PERSON_STATUSES)[number]

export const GROUP_KINDS = ['group', 'tag'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

/** Whom a list of people is narrowed to. */
export interface PeopleFilter {
  q?: string | undefined
  role?: readonly (SiteRole | 'participant')[] | undefined
  status?: readonly PersonStatus[] | undefined
  /** Who took part in it. */
  hub?: string | undefined
  project?: string | undefined
  group?: string | undefined
  locale?: Language | undefined
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

/** Who belongs to a group by itself: whom all of this fits. */
export const groupRuleSchema = v.pipe(
  v.strictObject({
    role: v.optional(v.pipe(v.array(v.picklist([...SITE_ROLES, 'participant'])), v.minLength(1))),
    hub: v.optional(idSchema),
    project: v.optional(idSchema),
    locale: v.optional(languageSchema),
    marketingConsent: v.optional(v.boolean()),
    joinedWithinDays: v.optional(dayCountSchema),
    seenWithinDays: v.optional(dayCountSchema),
  }),
  v.check((rule) => Object.keys(rule).length > 0, 'required'),
)
export type GroupRule = v.InferOutput<typeof groupRuleSchema>
export const groupNameSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern)

/** A person of the site, as those who manage people see them. */
export interface Person {
  id: string
  email: string
  login: string
  locale: string
  type: 'participant' | 'administrator'
  roleName: SiteRole | 'platform_admin' | 'participant'
  status: PersonStatus
  confirmed: boolean
  marketingConsent: boolean
  blockedAt: Date | null
  blockedReason: string | null
  lastSeenAt: Date | null
  createdAt: Date
}

/** A role that somebody holds. */
export interface Membership {
  id: string
  userId: string
  role: SiteRole
  hubId: string | null
  projectId: string | null
  /** Where the role's project lies, for the scope of whoever looks. */
  projectHubId: string | null
  mayExportPersonalData: boolean
  createdAt: Date
}

/** Regions a site may lie in: its dates and numbers are written as they are there. */
export const REGIONS = ['Canada', 'United Kingdom', 'Australia', 'New Zealand', 'United States'] as const

export const firstAdminSchema = v.object({ token: tokenSchema, login: loginSchema, email: emailSchema, password: newPasswordSchema })
export const firstSiteSchema = v.object({
  siteName: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80), printablePattern),
  region: v.picklist(REGIONS),
  locale: languageSchema,
  languages: v.pipe(v.array(languageSchema), v.minLength(1)),
  timeZone: v.pipe(
    v.string(),
    v.check((zone) => Intl.supportedValuesOf('timeZone').includes(zone), 'not-a-choice'),
  ),
})
export type FirstSite = v.InferOutput<typeof firstSiteSchema>

/** What the page for the first administrator needs to know. */
export interface FirstAdminSetup {
  /** Where the first site will be found; null where there is a site already. */
  host: string | null
  timeZones: string[]
}
