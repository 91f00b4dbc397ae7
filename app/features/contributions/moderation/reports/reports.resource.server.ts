import { checkPermission, isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { loadModerationSettings, updateModerationSettings } from '../moderation-settings.server.ts'
import { createReport, listReports, loadReports } from './report-records.server.ts'
import { moderationReportShape, moderationSettingShape } from './reports.api.schema.ts'

export const moderationReportResource = implementResource(moderationReportShape, {
  load: loadReports,
  list: listReports,
  attributes: ({ rule, words, version, byAccount, reporterName, createdAt }) => ({
    rule,
    words,
    version,
    byAccount,
    ...(reporterName !== undefined && { reporterName }),
    createdAt,
  }),
  relationships: {
    contribution: { id: (row) => row.contributionId, alwaysVisible: true, seenByCreate: true },
    reply: { id: (row) => row.replyId, alwaysVisible: true, seenByCreate: true },
    case: { id: (row) => row.caseId },
  },
  creators: 'anyone',
  create: createReport,
})

/** The team of a site sees how it moderates. */
const loadOwn = async (ctx: Ctx) =>
  isAdministrator(ctx.viewer) ? [await ctx.db.read((tx) => loadModerationSettings(tx, ctx.site.id))] : []

export const moderationSettingResource = implementResource(moderationSettingShape, {
  load: async (ctx, ids) => (await loadOwn(ctx)).filter(({ id }) => ids.includes(id)),
  list: async (ctx) => {
    const rows = await loadOwn(ctx)
    return { rows, total: rows.length }
  },
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'moderation.rules').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ reportsToHold, originalsKeptMonths, answersNeedAgreement, reportsNeedAgreement }) => ({
    reportsToHold,
    originalsKeptMonths,
    answersNeedAgreement,
    reportsNeedAgreement,
  }),
  update: (ctx, _row, changes, lock) => updateModerationSettings(ctx, changes, lock.version),
})
