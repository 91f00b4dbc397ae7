import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { BYTE_ORDER_MARK, formatCsvLine } from '#app/lib/csv.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals, moderationCases, moderationDecisions, moderationRules } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { encodeLines } from '#app/server/encode-lines.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { streamWorkbook, type WorkbookCell } from '#app/server/workbook.ts'
import { isModeratedCase } from './case-records.server.ts'

const ROWS_AT_ONCE = 400

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
type LogFormat = keyof typeof FILE_TYPES

const COLUMNS = [
  'decided_at',
  'decision',
  'rule',
  'rule_version',
  'reason',
  'automatic',
  'decided_by',
  'project',
  'activity',
  'number',
  'subject',
  'opened_by',
  'opened_at',
  'hours',
  'appealed_by',
  'appealed_at',
  'appeal',
  'appeal_answer',
  'appeal_decided_at',
  'appeal_decided_by',
] as const

/** Every decision about what the viewer moderates, with its appeal, oldest first. Each download is audited. */
export const serveDecisionLog =
  (format: LogFormat) =>
  ({ context: { ctx } }: { context: RequestContext }): Promise<Response> =>
    createFileResponse(ctx, async () => {
      if (ctx.viewer.kind !== 'user') throw new AppError('unauthenticated')
      if (!isAdministrator(ctx.viewer)) throw new AppError('forbidden')
      await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'moderation-decisions.export', detail: { format } }))
      const at = ctx.now()
      const pages = readPages(ctx, at)
      return {
        filename: `moderation-${at.toISOString().slice(0, 10)}.${format}`,
        type: FILE_TYPES[format],
        pieces: format === 'csv' ? streamCsv(pages) : streamWorkbook([{ name: 'decisions', heads: COLUMNS, rows: pages }]),
      }
    })

type Pages = AsyncGenerator<WorkbookCell[][]>

async function* streamCsv(pages: Pages): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + formatCsvLine(COLUMNS))
  for await (const rows of pages) yield encodeLines(rows, (row) => formatCsvLine(row))
}

/** Pages of decisions as they were when the file was requested: later ones come after the last page. */
async function* readPages(ctx: Ctx, at: Date): Pages {
  const toCells = createCellMapper(ctx)
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const from = offset
    const rows = await ctx.db.read((tx) => readDecisions(ctx, tx, { at, from }))
    if (rows.length > 0) yield rows.map(toCells)
    if (rows.length < ROWS_AT_ONCE) return
  }
}

const appealDeciders = alias(users, 'appeal_decider')

function readDecisions(ctx: Ctx, tx: Tx, { at, from }: { at: Date; from: number }) {
  const order = [asc(moderationDecisions.decidedAt), asc(moderationDecisions.id)]
  const shown = tx
    .select({ id: moderationDecisions.id })
    .from(moderationDecisions)
    .where(
      and(
        eq(moderationDecisions.siteId, ctx.site.id),
        lte(moderationDecisions.decidedAt, at),
        isModeratedCase(ctx, moderationDecisions.caseId),
      ),
    )
    .orderBy(...order)
    .limit(ROWS_AT_ONCE)
    .offset(from)
  return tx
    .select({
      decision: moderationDecisions,
      opened: moderationCases,
      rule: moderationRules.code,
      decidedBy: users.login,
      number: contributions.number,
      activity: activities.title,
      project: projects.title,
      appeal: moderationAppeals,
      appealDecidedBy: appealDeciders.login,
    })
    .from(lookUpRows(moderationDecisions, ctx.site.id, sql`array(${shown})`))
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(
      moderationRules,
      and(eq(moderationRules.siteId, moderationDecisions.siteId), eq(moderationRules.id, moderationDecisions.ruleId)),
    )
    .leftJoin(users, and(eq(users.siteId, moderationDecisions.siteId), eq(users.id, moderationDecisions.decidedBy)))
    .leftJoin(
      moderationAppeals,
      and(eq(moderationAppeals.siteId, moderationDecisions.siteId), eq(moderationAppeals.decisionId, moderationDecisions.id)),
    )
    .leftJoin(appealDeciders, and(eq(appealDeciders.siteId, moderationAppeals.siteId), eq(appealDeciders.id, moderationAppeals.decidedBy)))
    .orderBy(...order)
}

type ReadDecision = Awaited<ReturnType<typeof readDecisions>>[number]

function createCellMapper(ctx: Ctx) {
  const translate = (text: Parameters<typeof getTranslation>[0]) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return ({ decision, opened, rule, decidedBy, number, activity, project, appeal, appealDecidedBy }: ReadDecision): WorkbookCell[] => [
    decision.decidedAt.toISOString(),
    decision.decision,
    rule,
    decision.ruleVersion,
    decision.words || null,
    decision.automatic ? 'yes' : 'no',
    decidedBy,
    translate(project),
    translate(activity),
    number,
    opened.replyId ? 'reply' : 'contribution',
    opened.openedBy,
    opened.openedAt.toISOString(),
    Math.round((decision.decidedAt.getTime() - opened.openedAt.getTime()) / 360_000) / 10,
    appeal?.appellant ?? null,
    appeal?.createdAt.toISOString() ?? null,
    appeal?.state ?? null,
    appeal?.answer || null,
    appeal?.decidedAt?.toISOString() ?? null,
    appealDecidedBy,
  ]
}
