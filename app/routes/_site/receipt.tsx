import { createFileRoute, getRouteApi, lazyRouteComponent } from '@tanstack/react-router'
import { Journey } from '#app/features/heard/Journey.tsx'
import { readJourney } from '#app/features/heard/heard.functions.ts'
import { LastReceipts } from '#app/features/participation/lazy-last-receipts.ts'
import { readOtherOpenProjects } from '#app/features/projects/projects.functions.ts'
import { buildPageUrl } from '#app/features/sites/seo.ts'
import { FindReceiptPage } from '#app/features/surveys/answering/ReceiptPages.tsx'
import { receiptForm } from '#app/features/surveys/answering/answering.forms.server.ts'
import { readReceipt } from '#app/features/surveys/answering/answering.functions.ts'
import { ReceiptSlip } from '#app/features/surveys/answering/lazy-receipt-slip.ts'
import { readChoiceParam, omitUndefined } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

const AfterAnswering = lazyRouteComponent(() => import('#app/features/projects/AfterAnswering.tsx'), 'AfterAnswering')

/** A response looked up by its receipt code. */
export const Route = createFileRoute('/_site/receipt')({
  staticData: { namespaces: ['survey', 'receipt'] },
  validateSearch: ({ sent }: Record<string, unknown>): { sent?: 'mail' } => omitUndefined({ sent: readChoiceParam(sent, ['mail']) }),
  loader: async () => {
    const [receipt, form] = await Promise.all([readReceipt(), readFormState()])
    const { contribution, lastReceipts } = receipt
    if (lastReceipts.length > 0) await LastReceipts.preload?.()
    if (!contribution) return { ...receipt, form, others: [], journey: '' }
    const [others, journey] = await Promise.all([
      readOtherOpenProjects({ data: { slug: contribution.project.slug } }),
      readJourney({ data: {} }),
      ReceiptSlip.preload?.(),
      AfterAnswering.preload?.(),
    ])
    return { ...receipt, form, others, journey }
  },
  head: ({ loaderData, match: { context } }) => {
    const title = context.i18n.t('survey:find.title')
    const name = `${loaderData?.form ? context.i18n.t('survey:error-title', { title }) : title} · ${getSiteName(context.queryClient)}`
    return { meta: [{ title: name }, { name: 'robots', content: 'noindex' }] }
  },
  server: { handlers: { POST: receiptForm } },
  component: Page,
})

const site = getRouteApi('/_site')

function Page() {
  const { others, journey, ...receipt } = Route.useLoaderData()
  const frame = site.useLoaderData()
  const project = receipt.contribution?.project
  return (
    <FindReceiptPage
      {...receipt}
      sent={Route.useSearch().sent === 'mail'}
      onward={
        project && (
          <>
            <Journey html={journey} />
            <AfterAnswering project={project} address={buildPageUrl(frame, `/projects/${project.slug}`, frame.language)} others={others} />
          </>
        )
      }
    />
  )
}
