import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { readSending } from '#app/features/participation/sending.server.ts'
import { readNumber } from '../../record/contribution-forms.server.ts'
import { loadReportPage } from './report-page.server.ts'

/** The page on which somebody reports a contribution or a reply. It is made for one person. */
export const readReportPage = createServerFn()
  .validator(
    createInputValidator(
      v.object({
        project: slugPartSchema,
        activity: slugPartSchema,
        number: v.pipe(v.string(), v.maxLength(40, 'not-found')),
        reply: v.optional(v.pipe(v.string(), v.maxLength(40, 'not-found'))),
      }),
    ),
  )
  .handler(async ({ data: { number, ...address }, context: { ctx, form } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    const page = await loadReportPage(ctx, { ...address, reply: address.reply, number: readNumber(number) }, readBrowserToken(ctx))
    const t = getTranslator(ctx.language, 'appeals')
    const title = t(page.reply ? 'report.title-reply' : 'report.title')
    return {
      page,
      id: readSending(form?.values ?? {}, ctx.now()).id,
      head: {
        title: form?.faults.length ? t('error-title', { title }) : title,
        description: page.activity.title.text,
        path: `/projects/${page.activity.project.slug}/${page.activity.slug}/${page.number}/report`,
        hidden: true,
      },
    }
  })
