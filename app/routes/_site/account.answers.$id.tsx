import { createFileRoute, notFound } from '@tanstack/react-router'
import { Journey } from '#app/features/heard/Journey.tsx'
import { readJourney } from '#app/features/heard/heard.functions.ts'
import { OwnAnswerPage } from '#app/features/surveys/answering/OwnAnswers.tsx'
import { ReceiptSlip } from '#app/features/surveys/answering/lazy-receipt-slip.ts'
import { ownAnswerForm } from '#app/features/surveys/answering/answering.forms.server.ts'
import { readOwnAnswer } from '#app/features/surveys/answering/answering.functions.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/_site/account/answers/$id')({
  staticData: { namespaces: ['account', 'errors', 'survey', 'receipt'] },
  loader: async ({ params }) => {
    const [contribution, journey] = await Promise.all([
      readOwnAnswer({ data: { id: params.id } }),
      readJourney({ data: { id: params.id } }),
    ])
    if (!contribution) throw notFound()
    await ReceiptSlip.preload?.()
    return { contribution, journey }
  },
  head: ({ loaderData, match: { context } }) => {
    const survey = loaderData?.contribution.survey.title.text
    const title = survey ? context.i18n.t('survey:receipt.head-title', { survey }) : context.i18n.t('survey:receipt.heading')
    return { meta: [{ title: `${title} · ${getSiteName(context.queryClient)}` }, { name: 'robots', content: 'noindex' }] }
  },
  server: { handlers: { POST: ownAnswerForm } },
  component: Page,
})

function Page() {
  const { contribution, journey } = Route.useLoaderData()
  return <OwnAnswerPage contribution={contribution} journey={<Journey html={journey} />} />
}
