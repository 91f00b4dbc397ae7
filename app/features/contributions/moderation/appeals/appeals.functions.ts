import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { readSending } from '#app/features/participation/sending.server.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { loadAppealPage } from './appeal-page.server.ts'

/** The page of a decision. It is made for one person. */
export const readAppealPage = createServerFn()
  .validator(createInputValidator(v.object({ decision: v.pipe(v.string(), v.maxLength(40, 'not-found')) })))
  .handler(async ({ data: { decision }, context: { ctx, form } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    const page = await loadAppealPage(ctx, decision, { receipt: readReceiptCode(), browserToken: readBrowserToken(ctx) })
    const t = getTranslator(ctx.language, 'appeals')
    const title = t('appeal.title')
    return {
      page,
      id: readSending(form?.values ?? {}, ctx.now()).id,
      head: {
        title: form?.faults.length ? t('error-title', { title }) : title,
        description: title,
        path: `/appeals/${decision}`,
        hidden: true,
      },
    }
  })
