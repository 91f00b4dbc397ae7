import { createFileRoute } from '@tanstack/react-router'
import { FindReceiptPage } from '#app/features/surveys/answering/ReceiptPages.tsx'
import { receiptForm } from '#app/features/surveys/answering/answering.forms.server.ts'
import { readReceipt } from '#app/features/surveys/answering/answering.functions.ts'
import { ReceiptSlip } from '#app/features/surveys/answering/lazy-receipt-slip.ts'
import { readChoiceParam, omitUndefined } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** A response looked up by its receipt code. */
export const Route = createFileRoute('/_site/receipt')({
  staticData: { namespaces: ['survey'] },
  validateSearch: ({ sent }: Record<string, unknown>): { sent?: 'mail' } => omitUndefined({ sent: readChoiceParam(sent, ['mail']) }),
  loader: async () => {
    const [receipt, form] = await Promise.all([readReceipt(), readFormState()])
    if (receipt.contribution) await ReceiptSlip.preload?.()
    return { ...receipt, form }
  },
  head: ({ loaderData, match: { context } }) => {
    const title = context.i18n.t('survey:find.title')
    const name = `${loaderData?.form ? context.i18n.t('survey:error-title', { title }) : title} · ${getSiteName(context.queryClient)}`
    return { meta: [{ title: name }, { name: 'robots', content: 'noindex' }] }
  },
  server: { handlers: { POST: receiptForm } },
  component: Page,
})

function Page() {
  return <FindReceiptPage {...Route.useLoaderData()} sent={Route.useSearch().sent === 'mail'} />
}
