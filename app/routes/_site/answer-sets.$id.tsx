import { createFileRoute } from '@tanstack/react-router'
import { answerSetForm } from '#app/features/contributions/desk/answer-sets.forms.server.ts'
import { AnswerSetPage } from '#app/features/contributions/desk/AnswerSetPage.tsx'
import { sendingQuery } from '#app/features/contributions/desk/sending.queries.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** How far an answer to many is. Outside the administration, so that it needs no JavaScript. */
export const Route = createFileRoute('/_site/answer-sets/$id')({
  staticData: { namespaces: ['contributions-admin'] },
  loader: ({ params, context }) => context.queryClient.ensureQueryData(sendingQuery(params.id)),
  head: ({ loaderData, match: { context } }) => ({
    meta: [
      {
        title: `${context.i18n.t('contributions-admin:answer-sets.title', { count: loaderData?.count ?? 0, number: String(loaderData?.count ?? 0) })} · ${getSiteName(context.queryClient)}`,
      },
      { name: 'robots', content: 'noindex' },
    ],
  }),
  server: { handlers: { POST: answerSetForm } },
  component: Page,
})

function Page() {
  return <AnswerSetPage id={Route.useParams().id} />
}
