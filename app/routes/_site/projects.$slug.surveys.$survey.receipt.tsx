import { createFileRoute, getRouteApi, lazyRouteComponent } from '@tanstack/react-router'
import { Journey } from '#app/features/heard/Journey.tsx'
import { readJourney } from '#app/features/heard/heard.functions.ts'
import { preloadQuestions, ReceiptQuestions } from '#app/features/profile/lazy-questions.ts'
import { readReceiptQuestions } from '#app/features/profile/profile.functions.ts'
import { readOtherOpenProjects } from '#app/features/projects/projects.functions.ts'
import { buildPageUrl } from '#app/features/sites/seo.ts'
import { ThanksPage } from '#app/features/surveys/answering/ReceiptPages.tsx'
import { receiptForm } from '#app/features/surveys/answering/answering.forms.server.ts'
import { readReceipt } from '#app/features/surveys/answering/answering.functions.ts'
import { ReceiptSlip } from '#app/features/surveys/answering/lazy-receipt-slip.ts'
import { readChoiceParam, omitUndefined } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

const AfterAnswering = lazyRouteComponent(() => import('#app/features/projects/AfterAnswering.tsx'), 'AfterAnswering')

/** Shown right after a response was submitted. */
export const Route = createFileRoute('/_site/projects/$slug/surveys/$survey/receipt')({
  staticData: { namespaces: ['survey', 'receipt'] },
  validateSearch: ({ sent }: Record<string, unknown>): { sent?: 'mail' } => omitUndefined({ sent: readChoiceParam(sent, ['mail']) }),
  loader: async ({ params }) => {
    const [{ contribution, address }, form, others, questions, journey] = await Promise.all([
      readReceipt(),
      readFormState(),
      readOtherOpenProjects({ data: { slug: params.slug } }),
      readReceiptQuestions(),
      readJourney({ data: {} }),
    ])
    const own = contribution?.survey.slug === params.survey && contribution.project.slug === params.slug
    if (own)
      await Promise.all([
        ReceiptSlip.preload?.(),
        AfterAnswering.preload?.(),
        questions.length > 0 && ReceiptQuestions.preload?.(),
        preloadQuestions(questions),
      ])
    return { contribution: own ? contribution : null, address, form, others, questions, journey }
  },
  head: ({ loaderData, match: { context } }) => {
    const survey = loaderData?.contribution?.survey.title.text
    const title = survey ? context.i18n.t('survey:receipt.head-title', { survey }) : context.i18n.t('survey:receipt.heading')
    return { meta: [{ title: `${title} · ${getSiteName(context.queryClient)}` }, { name: 'robots', content: 'noindex' }] }
  },
  server: { handlers: { POST: receiptForm } },
  component: Page,
})

const site = getRouteApi('/_site')

function Page() {
  const { others, questions, journey, ...receipt } = Route.useLoaderData()
  const frame = site.useLoaderData()
  const project = receipt.contribution?.project
  return (
    <ThanksPage
      {...receipt}
      sent={Route.useSearch().sent === 'mail'}
      onward={
        project && (
          <>
            <Journey html={journey} />
            {questions.length > 0 && (
              <ReceiptQuestions
                questions={questions}
                next={toLocalHref(`/projects/${project.slug}/surveys/${receipt.contribution?.survey.slug}/receipt`)}
              />
            )}
            <AfterAnswering project={project} address={buildPageUrl(frame, `/projects/${project.slug}`, frame.language)} others={others} />
          </>
        )
      }
    />
  )
}
