import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/language-schema.ts'
import { DUTY_RULES } from '#app/lib/vocabulary/duties.ts'
import { HOLIDAY_CALENDARS } from '#app/lib/vocabulary/holidays.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { isTimeZone } from '#app/lib/time-zones.ts'
import { SITE_SORTS, SITE_STATES } from './sites.schema.ts'

export const currentSiteShape = singletonShape({
  type: 'current-site',
  summary: 'The site of the request',
  attributes: {
    site: attribute(
      v.object({
        id: v.string(),
        name: v.string(),
        region: v.string(),
        locale: languageSchema,
        publishedHomePageRevisions: v.array(v.object({ id: v.string(), publishedAt: timestampSchema })),
      }),
    ),
  },
})

const required = { create: 'required', update: true } as const
/** A host name: no scheme, no port, no path. */
export const hostSchema = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(253),
  v.regex(/^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/, 'wrong-format'),
)

export const siteShape = resourceShape({
  type: 'sites',
  summary: 'The site of the request; for platform administrators, every site',
  operations: ['list', 'get', 'create', 'update'],
  can: ['update', 'manage'],
  attributes: {
    slug: attribute(v.string()),
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)), required),
    /** Its first host name, and the first administrator to invite. */
    host: attribute(hostSchema, { read: false, create: 'required' }),
    adminEmail: attribute(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.email(), v.maxLength(254)), { read: false, create: 'required' }),
    /** The host name that links use. */
    primaryHost: attribute(v.nullable(v.string())),
    status: attribute(v.string()),
    region: attribute(v.pipe(v.string(), v.nonEmpty(), v.maxLength(60)), required),
    /** The main language, one of `languages`. */
    locale: attribute(languageSchema, required),
    languages: attribute(v.pipe(v.array(languageSchema), v.minLength(1)), required),
    /** Further languages of its content, as tags such as `pl` or `zh-Hans`. The interface is in `locale` for people who read these. */
    addedLanguages: attribute(v.pipe(v.array(v.pipe(v.string(), v.maxLength(35))), v.maxLength(100)), { update: true }),
    timeZone: attribute(v.pipe(v.string(), v.check(isTimeZone, 'not-a-choice')), required),
    /** Public holidays are no working days. */
    holidays: attribute(v.picklist(HOLIDAY_CALENDARS), { update: true }),
    /** Which duties of consultations are recorded for each project, and asked for before something is published. */
    duties: attribute(v.picklist(DUTY_RULES), { update: true }),
    /** For how many days its consultations are open at least. */
    dutyDays: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)), { update: true }),
    tagline: translated({ max: 300, update: true }),
    contactEmail: attribute(v.nullable(v.pipe(v.string(), v.trim(), v.email(), v.maxLength(254))), { update: true }),
    /** People with a role who have no two-step sign-in set it up when they sign in, before anything else. */
    requiresSecondStep: attribute(v.boolean(), { update: true }),
    /**
     * Addresses and networks (CIDR) from which many people take part, such as those of a library: more may come from them before it counts as
     * unusually many. For those who edit the site only.
     */
    sharedNetworks: attribute(v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60))), v.maxLength(200)), {
      read: 'sometimes',
      update: true,
    }),
    createdAt: attribute(timestampSchema),
  },
  /** Only set for a site with a scheduled deletion. */
  relationships: { deletion: toOne('site-deletions') },
  /** `q` matches the name, the short name and the domains. `leaving`: its deletion is scheduled or running. */
  filters: { q: filter.text(200), state: filter.choices(SITE_STATES), region: filter.text(60) },
  sorts: SITE_SORTS,
  defaultSort: 'name',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'current-site': typeof currentSiteShape
    sites: typeof siteShape
  }
}
