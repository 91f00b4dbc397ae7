import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getFormatter } from '#app/lib/format.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { DOCUMENT_TYPES, type DocumentContent } from '#app/server/documents/document.schema.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { yieldOnce } from '#app/server/yield-once.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { loadBallotOptions, loadPots, type OptionRow, type PotRow, requireRoundFor } from '../budgets.policy.server.ts'
import { createMoneyFormat } from '#app/lib/format-money.ts'
import { recordBudgetAudit } from '../managing/budget-audit.server.ts'
import { loadBatches, type PlacedBatch } from './paper-batches.server.ts'
import { deriveSheetCode } from './paper-codes.server.ts'

/** Download route of a batch's sheets as a PDF in one of the site's languages. Audited. */
export function serveSheets({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { id: string; round: string; batch: string; language: string }
}): Promise<Response> {
  return createFileResponse(ctx, async () => {
    const { batch: batchId } = params
    const language = LANGUAGES.find((known) => known === params.language)
    if (!isId(batchId) || !language || !ctx.site.languages.includes(language)) throw new AppError('not-found')
    const [placed] = await loadBatches(ctx, [batchId])
    if (!placed) throw new AppError(ctx.viewer.kind === 'visitor' ? 'unauthenticated' : 'not-found')
    if (placed.batch.state !== 'open') throw new AppError('conflict')
    const content = await ctx.db.tx(async (tx) => {
      const { round } = await requireRoundFor(ctx, tx, 'budgets.edit', placed.batch.roundId)
      const detail = { batch: placed.batch.number, name: placed.batch.name, language }
      await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.print-sheets', detail })
      return describeSheets(ctx, language, placed, await loadPots(tx, round), await loadBallotOptions(tx, round))
    })
    const file = await makeDocument(ctx.site.id, 'pdf', await addSiteMark(ctx, content))
    const filename = `${placed.round.slug}-${placed.batch.number}-${language}.pdf`
    return { filename, type: DOCUMENT_TYPES.pdf, bytes: file.length, pieces: yieldOnce(file) }
  })
}

/** What is printed on each sheet. @param options those on the ballot; withdrawn ones are left out */
export function describeSheets(
  ctx: Ctx,
  language: Language,
  { round, batch }: PlacedBatch,
  pots: readonly PotRow[],
  options: readonly OptionRow[],
): DocumentContent {
  const { site } = ctx
  const t = getTranslator(language, 'budgets-admin')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const money = createMoneyFormat(language, site.region, round.currency)
  const read = (text: PotRow['title']) => getTranslation(text, language, site.locale)
  const number = (value: number) => format.number(value)
  const rules = [
    round.ballotType === 'points'
      ? t('sheet.points', { count: round.maxPoints ?? 0, number: number(round.maxPoints ?? 0) })
      : t(round.ballotType === 'knapsack' ? 'sheet.knapsack' : 'sheet.approve'),
    ...(round.minOptions > 1 ? [t('sheet.at-least', { number: number(round.minOptions) })] : []),
    ...(round.maxOptions === null ? [] : [t('sheet.at-most', { number: number(round.maxOptions) })]),
    ...(round.maxPots === null || round.maxPots >= pots.length ? [] : [t('sheet.pots-at-most', { number: number(round.maxPots) })]),
    ...(round.closesAt ? [t('sheet.until', { date: format.dateTime(round.closesAt) })] : []),
    ...(round.paper === 'letters' ? [t('sheet.online', { address: buildSiteUrl(ctx, '/verify') })] : [t('sheet.once')]),
  ]
  return {
    language,
    title: read(round.title),
    subtitle: '',
    facts: [],
    organisation: site.name,
    runningHead: '',
    color: readThemePalette(site.theme).primary,
    madeAt: Date.parse(`${toCalendarDay(site.timeZone, ctx.now())}T00:00:00Z`) / 1000,
    sections: [],
    smallPrint: t('sheet.batch', { number: number(batch.number), name: batch.name }),
    words: { contents: '', table: '', figure: '', page: t('sheet.page'), of: '', mark: '' },
    sheets: {
      codes: Array.from({ length: batch.sheets }, (_, at) => deriveSheetCode(ctx, batch.id, at + 1)),
      codeLabel: t('sheet.code'),
      lines: rules,
      groups: pots.map((pot) => ({
        heading: t('sheet.pot', { name: read(pot.title), amount: money(pot.amount) }),
        note: '',
        items: options
          .filter(({ potId, withdrawnAt }) => potId === pot.id && withdrawnAt === null)
          .map((option) => ({ number: String(option.number), label: read(option.title), note: money(option.cost ?? 0) })),
      })),
      mark: round.ballotType === 'points' ? 'points' : 'box',
      foot: t('sheet.secret'),
    },
  }
}
