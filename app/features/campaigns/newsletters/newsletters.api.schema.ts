import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { instantSchema, timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { CAMPAIGN_STATUSES } from '#app/lib/vocabulary/campaigns.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { audienceSchema, audienceNamesSchema } from '../campaigns.schema.ts'
import { MAX_SUBJECT_LENGTH } from './newsletters.schema.ts'

const changeable = { create: 'optional', update: true } as const
const whole = v.number()

export const newsletterShape = resourceShape({
  type: 'newsletters',
  summary: 'Newsletters: an email made of blocks, in each language, to everyone in an audience who agreed to news',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  body: { bytes: 1_000_000 },
  locked: true,
  can: ['update', 'send'],
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)), { create: 'required', update: true }),
    /** May contain {{name}} and {{site}}, as the texts of its blocks may. */
    subject: translated({ max: MAX_SUBJECT_LENGTH, ...changeable }),
    /** Same format as a homepage revision, limited to blocks that an email can show. */
    content: attribute(v.record(v.string(), v.unknown()), changeable),
    audience: attribute(audienceSchema, changeable),
    /** Names of the audience's filters: null if one no longer exists. Nothing is sent then. */
    chosen: attribute(audienceNamesSchema),
    status: attribute(v.picklist(CAMPAIGN_STATUSES)),
    sendAt: attribute(v.nullable(timestampSchema)),
    finishedAt: attribute(v.nullable(timestampSchema)),
    /**
     * Emails written; once it is over, `accepted`, `failed` and `skipped` add up to `prepared`. `returned` counts the accepted ones that
     * bounced later.
     */
    counts: attribute(v.object({ prepared: whole, waiting: whole, accepted: whole, failed: whole, skipped: whole, returned: whole })),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    hub: toOne('hubs', { create: 'optional' }),
    project: toOne('projects', { create: 'optional' }),
  },
  page: { size: 25, max: 100 },
})

export const newsletterEstimateShape = resourceShape({
  type: 'newsletter-estimates',
  summary: 'How many people a newsletter would reach now, in which languages. Has the id of the newsletter',
  operations: ['get'],
  attributes: {
    recipients: attribute(whole),
    /** `gets` differs from `language` if the newsletter is incomplete in the reader's language. */
    languages: attribute(
      v.array(v.object({ language: v.picklist(CONTENT_LANGUAGES), gets: v.picklist(CONTENT_LANGUAGES), recipients: whole })),
    ),
    /** How many more would be reached without the area filter, because they gave no area for this; null without that filter. */
    withoutArea: attribute(v.nullable(whole)),
    /** How many are in the audience and consented, but their address refuses mail. */
    unreachable: attribute(whole),
    /** False if no mail service is set up: emails stay in the outbox. */
    delivers: attribute(v.boolean()),
  },
})

export const newsletterRecipientShape = resourceShape({
  type: 'newsletter-recipients',
  summary: 'Everyone a newsletter would reach now',
  operations: ['list'],
  attributes: {
    login: attribute(v.string()),
    email: attribute(v.string()),
    language: attribute(v.picklist(CONTENT_LANGUAGES)),
  },
  filters: { campaign: filter.id() },
  page: { size: 20, max: 100 },
})

export const newsletterSendingShape = resourceShape({
  type: 'newsletter-sendings',
  summary:
    'A newsletter that goes out: POST sends it now or at its time, PATCH pauses and resumes, DELETE gives up what is left. It has the id of its newsletter',
  operations: ['get', 'create', 'update', 'remove'],
  attributes: {
    sendAt: attribute(v.nullable(instantSchema), { read: false, create: 'optional' }),
    /** Names of texts that are knowingly missing or stale, as the refusal gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
    paused: attribute(v.boolean(), { update: true }),
  },
  relationships: { campaign: toOne('newsletters', { create: 'required' }) },
})

export const newsletterTestShape = resourceShape({
  type: 'newsletter-tests',
  summary: 'Sends a newsletter to your own address, as a test',
  operations: ['create'],
  id: idSchema,
  attributes: { language: attribute(v.picklist(CONTENT_LANGUAGES), { create: 'required' }) },
  relationships: { campaign: toOne('newsletters', { create: 'required' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    newsletters: typeof newsletterShape
    'newsletter-estimates': typeof newsletterEstimateShape
    'newsletter-recipients': typeof newsletterRecipientShape
    'newsletter-sendings': typeof newsletterSendingShape
    'newsletter-tests': typeof newsletterTestShape
  }
}
