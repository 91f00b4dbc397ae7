import * as v from 'valibot'
import { browserTokenSchema } from '#app/features/browser-tokens/browser-tokens.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { MAX_REPORTS_TO_HOLD, MIN_REPORTS_TO_HOLD } from './reports.schema.ts'

export const moderationReportShape = resourceShape({
  type: 'moderation-reports',
  summary: 'What readers say breaks a rule: one report for each person and version. Anyone can send one; only moderators read them',
  operations: ['list', 'get', 'create'],
  clientIds: true,
  attributes: {
    /** The code of one of the site’s moderation rules. */
    rule: attribute(v.pipe(v.string(), v.maxLength(80)), { create: 'required' }),
    /** What the person says about it, up to 500 characters. */
    words: attribute(v.pipe(v.string(), v.maxLength(5000)), { create: 'optional' }),
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    /** Of the text that was reported. */
    version: attribute(v.pipe(v.number(), v.integer())),
    /** Sent with an account. */
    byAccount: attribute(v.boolean()),
    /** Who sent it, if they have an account here. For those who moderate only. */
    reporterName: attribute(v.nullable(v.string()), { read: 'sometimes' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    contribution: toOne('contributions', { create: 'required', nullable: false }),
    /** Set if a reply to it is reported. */
    reply: toOne('replies', { create: 'optional' }),
    case: toOne('moderation-cases', { nullable: false }),
  },
  filters: { case: filter.id() },
  sorts: ['createdAt'],
  defaultSort: 'createdAt',
})

export const moderationSettingShape = resourceShape({
  type: 'moderation-settings',
  summary: 'How the site moderates; its id is the site’s',
  operations: ['list', 'get', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** Reports by confirmed accounts that take a text off the site for up to 48 hours; null: reports never do. */
    reportsToHold: attribute(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(MIN_REPORTS_TO_HOLD), v.maxValue(MAX_REPORTS_TO_HOLD))),
      { update: true },
    ),
    /** How long what removed passages said is kept; appeals that wait keep it longer. */
    originalsKeptMonths: attribute(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(60)), { update: true }),
    /** Whether a second person of the team agrees to the words of each official answer before it is published. */
    answersNeedAgreement: attribute(v.boolean(), { update: true }),
    /** A second person agrees to each report of what was heard and decided before it is published. */
    reportsNeedAgreement: attribute(v.boolean(), { update: true }),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'moderation-reports': typeof moderationReportShape
    'moderation-settings': typeof moderationSettingShape
  }
}
