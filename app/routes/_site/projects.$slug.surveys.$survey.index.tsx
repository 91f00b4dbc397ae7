import { createFileRoute, redirect } from '@tanstack/react-router'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { answerForm } from '#app/features/surveys/answering/answering.forms.server.ts'
import { readSurvey } from '#app/features/surveys/answering/answering.functions.ts'
import { preloadSurveyPage } from '#app/features/surveys/answering/lazy-components.ts'
import { isMapShown } from '#app/features/surveys/questionnaire/question-types/places/place-map.schema.ts'
import { REVIEW_STEP } from '#app/features/surveys/questionnaire/step-ids.ts'
import { SurveyPage } from '#app/features/surveys/answering/SurveyPage.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** A survey to fill in, as one plain form or step by step. */
export const Route = createFileRoute('/_site/projects/$slug/surveys/$survey/')({
  staticData: { namespaces: ['survey'] },
  validateSearch: ({ preview, step, resume, invitation, answer }: Record<string, unknown>) =>
    omitUndefined({
      preview: readTextParam(preview, 200),
      step: readTextParam(step, 80),
      resume: readTextParam(resume, 200),
      invitation: readTextParam(invitation, 200),
      // What was chosen where the survey stood as a poll.
      answer: readTextParam(answer, 60),
    }),
  loaderDeps: ({ search: { preview, resume, invitation, answer } }) => ({ preview, resume, invitation, answer }),
  // All steps are loaded already, so the next one works even offline.
  shouldReload: false,
  loader: async ({ params: { slug, survey }, deps: { preview, resume, invitation, answer }, location }) => {
    // Not among the dependencies: only the page that the server renders is named after it.
    const { step } = location.search as { step?: string }
    const [page, form] = await Promise.all([
      readSurvey({ data: { project: slug, survey, preview, resume, invitation, answer, step } }),
      readFormState(),
    ])
    // Nothing is left to check once it was sent: the reader has come back.
    if (step === REVIEW_STEP && page.given && !page.draft && !form) throw redirect({ href: toLocalHref(page.given.path), statusCode: 303 })
    if (resume || invitation) throw redirect({ to: '.', search: omitUndefined({ preview }) })
    await preloadSurveyPage({ ...page, form }, step)
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => {
    if (!loaderData) return {}
    const { survey, form, title } = loaderData
    return buildPageHead(
      { matches, match },
      {
        title: form && form.faults.length > 0 && !isMapShown(form) ? match.context.i18n.t('survey:error-title', { title }) : title,
        description: survey.description,
        path: `/projects/${survey.project.slug}/surveys/${survey.slug}`,
        card: `project/${survey.project.slug}`,
        hidden: !survey.listed,
      },
    )
  },
  server: { handlers: { POST: answerForm } },
  component: Page,
})

function Page() {
  const { step } = Route.useSearch()
  return <SurveyPage {...Route.useLoaderData()} step={step} />
}
