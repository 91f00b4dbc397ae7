import { and, asc, eq, ne } from 'drizzle-orm'
import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { type EventRow, requireEventFor } from '../events.policy.server.ts'
import { describeAnswers, readSignUpQuestions } from '../signing-up/sign-up-questions.server.ts'

const COLUMNS = ['name', 'email', 'language', 'state', 'attended', 'signed_up']

/**
 * Everybody who signed up for an event and did not cancel, with their answers, as a table. Recorded in the audit trail with its reason.
 * @throws {AppError} `not-found`, `forbidden`, `fresh-sign-in-required`, `reason-required`
 */
export async function exportAttendanceList(ctx: Ctx, eventId: string) {
  const event = await ctx.db.tx(async (tx) => {
    const placed = await requireEventFor(ctx, tx, eventId)
    requirePermission(ctx, 'responses.export-personal', toPermissionTarget(placed.project))
    await recordPersonalDownload(ctx, tx, {
      action: 'events.export',
      subject: { type: 'events', id: placed.event.id },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
    })
    return placed.event
  })
  const titles = readSignUpQuestions(event).map(({ title }) => localiseText(title, ctx.contentLanguage, ctx.site.locale).text)
  return {
    filename: `${event.slug}-${ctx.now().toISOString().slice(0, 10)}.csv`,
    heads: [...COLUMNS, ...titles],
    rows: listRows(ctx, event),
  }
}

/** Download route. */
export const serveAttendanceList = ({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { event: string }
}): Promise<Response> => createCsvResponse(ctx, () => exportAttendanceList(ctx, params.event))

async function* listRows(ctx: Ctx, event: EventRow) {
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(eventSignUps)
      .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.eventId, event.id), ne(eventSignUps.state, 'cancelled')))
      .orderBy(asc(eventSignUps.state), asc(eventSignUps.createdAt), asc(eventSignUps.id)),
  )
  yield rows.map((row) => {
    const answers = describeAnswers(ctx, event, row.answers)
    return [
      row.name,
      row.email,
      row.language,
      row.state,
      row.attendedAt ? 1 : null,
      row.createdAt.toISOString(),
      ...readSignUpQuestions(event).map(({ id }) => answers.find((answer) => answer.id === id)?.lines.join('; ') ?? null),
    ]
  })
}
