import type { Ctx } from '#app/server/context.ts'
import { type WrittenDate, writeCalendar } from './write-calendar.server.ts'

/** A calendar as a response. It is asked for again and again, so programs keep no copy. */
export const createCalendarResponse = (ctx: Ctx, file: { name: string; fileName: string; dates: readonly WrittenDate[] }): Response =>
  new Response(writeCalendar({ name: file.name, host: ctx.site.primaryHost, dates: file.dates, now: ctx.now() }), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `inline; filename="${file.fileName}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  })
