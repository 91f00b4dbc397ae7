import { findLedger, readLedgerHead, streamLedgerFile } from '#app/features/ledger/ledger.server.ts'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { type ActivityAddress, requireActivityAt } from '../record/activities.policy.server.ts'
import { findActivityLedger, hasLedger } from '../record/contribution-ledger.server.ts'
import type { ActivityPageHead, ActivityView } from '../record/contributions.schema.ts'
import { loadActivityView } from '../reading/activity-view.server.ts'

/** @returns no ledger if nothing was sent yet @throws {AppError} `not-found` if the activity has none, or is not visible */
export function getLedgerPage(
  ctx: Ctx,
  address: ActivityAddress,
): Promise<{ activity: ActivityView; ledger: LedgerHead | null; head: ActivityPageHead }> {
  return ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, address)
    if (!hasLedger(placed.activity)) throw new AppError('not-found')
    const ledger = await findActivityLedger(tx, placed.activity)
    const activity = await loadActivityView(ctx, tx, placed)
    return {
      activity,
      ledger: ledger ? await readLedgerHead(tx, ledger) : null,
      head: {
        title: getTranslator(ctx.language, 'ledger')('contributions.page'),
        description: activity.title.text,
        path: `/projects/${address.project}/${address.activity}/ledger`,
        card: `project/${address.project}`,
        hidden: !activity.listed,
      },
    }
  })
}

interface DownloadRequest {
  context: RequestContext
  params: { slug: string; activity: string }
}

/** Download route of an activity's ledger, for all who may see the activity: `parley verify` recomputes it. */
export const serveActivityLedger = ({ context: { ctx }, params: { slug, activity } }: DownloadRequest): Promise<Response> =>
  createFileResponse(ctx, async () => {
    const { ledger, isOpen } = await ctx.db.read(async (tx) => {
      const placed = await requireActivityAt(ctx, tx, { project: slug, activity })
      return {
        isOpen: placed.project.visibility === 'public',
        ledger: await findLedger(tx, 'activity', ctx.site.id, placed.activity.id),
      }
    })
    if (!ledger) throw new AppError('not-found')
    const type = 'application/x-ndjson; charset=utf-8'
    return { filename: `${activity}-ledger.jsonl`, type, isOpen, pieces: streamLedgerFile(ctx.db, ledger) }
  })
