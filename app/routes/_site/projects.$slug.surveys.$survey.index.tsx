import { createFileRoute } from '@tanstack/react-router'
import { answerForm } from '#app/features/surveys/surveys.forms.server.ts'
import { readSurvey } from '#app/features/surveys/surveys.functions.ts'
import { preloadParts } from '#app/features/surveys/survey-parts.ts'
import { SurveyPage } from '#app/features/surveys/SurveyPage.tsx'
import { given, textParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { siteName } from '#app/shell/page-state.tsx'

/** A survey to be answered, as one plain form. */
export const Route = createFileRoute('/_site/projects/$slug/surveys/$survey/')({
  staticData: { namespaces: ['survey'] },
  validateSearch: ({ preview }: Record<string, unknown>) => given({ preview: textParam(preview, 200) }),
  loaderDeps: ({ search: { preview } }) => ({ preview }),
  loader: async ({ params: { slug, survey }, deps: { preview } }) => {
    const [page, form] = await Promise.all([readSurvey({ data: { project: slug, survey, preview } }), readFormState()])
    await preloadParts({ ...page, form })
    return { ...page, form }
  },
  head: ({ loaderData, match: { context } }) => {
    const name = `${loaderData?.survey.title.text ?? ''} · ${siteName(context.queryClient)}`
    return { meta: [{ title: loaderData?.form ? context.i18n.t('survey:error-title', { title: name }) : name }] }
  },
  server: { handlers: { POST: answerForm } },
  component: Page,
})

function Page() {
  return <SurveyPage {...Route.useLoaderData()} />
}
