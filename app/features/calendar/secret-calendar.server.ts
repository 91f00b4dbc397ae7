import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getFormatter } from '#app/lib/format.ts'
import { loadCalendarLinkViewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { createCalendarResponse } from './calendar-file.server.ts'
import { addDays, loadEntries, readToday } from './calendar.server.ts'
import type { CalendarEntry } from './calendar.schema.ts'
import type { WrittenDate } from './write-calendar.server.ts'

const DAYS_BACK = 92
const DAYS_AHEAD = 366
const MAX_DATES = 2000

/**
 * What the person who made the address may see now, in their language.
 * @throws {AppError} `not-found` for an address that has ended or does not exist, and if its owner has no role any more
 */
export async function buildSecretCalendar(ctx: Ctx, secret: string): Promise<Response> {
  const viewer = await loadCalendarLinkViewer(ctx.db, secret)
  if (!isAdministrator(viewer)) throw new AppError('not-found')
  const { site } = ctx
  const language = matchLanguage(viewer.locale ?? site.locale, site.languages) ?? site.locale
  const owner: Ctx = withLanguage({ ...ctx, viewer }, language)
  const today = readToday(owner)
  const entries = await owner.db.read((tx) =>
    loadEntries(owner, tx, { from: addDays(today, -DAYS_BACK), until: addDays(today, DAYS_AHEAD), most: MAX_DATES }),
  )
  const t = getTranslator(language, 'calendar')
  return createCalendarResponse(owner, {
    name: t('file.name', { site: site.name }),
    fileName: 'calendar.ics',
    dates: entries.map((entry) => writeEntry(owner, entry)),
  })
}

function writeEntry(ctx: Ctx, { kind, event, title, count, project, path, ...when }: CalendarEntry): WrittenDate {
  const t = getTranslator(ctx.language, 'calendar')
  const format = getFormatter({ language: ctx.language, timeZone: ctx.site.timeZone, region: ctx.site.region })
  const what = event === 'happens' ? t(`kinds.${kind}`) : `${t(`kinds.${kind}`)}${format.colon}${t(`events.${event}`)}`
  return {
    ...when,
    summary:
      count === null
        ? `${title || t('untitled')} (${what})`
        : t(`due.${kind === 'question' ? 'question' : 'moderation'}`, { count, number: format.number(count) }),
    ...(project && kind !== 'project' && { description: project.title }),
    url: buildSiteUrl(ctx, path),
  }
}

export async function serveSecretCalendar({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { secret: string }
}): Promise<Response> {
  try {
    return await buildSecretCalendar(ctx, params.secret)
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}
