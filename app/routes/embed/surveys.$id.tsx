import { createFileRoute } from '@tanstack/react-router'
import { embeddedForm } from '#app/features/surveys/embed/embedded-survey.forms.server.ts'
import { readEmbeddedSurvey } from '#app/features/surveys/embed/embedded-survey.functions.ts'
import { EmbeddedSurvey } from '#app/features/surveys/embed/EmbeddedSurvey.tsx'
import { preloadFields } from '#app/features/surveys/questionnaire/question-types/fields.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** A survey, embedded in another site. */
export const Route = createFileRoute('/embed/surveys/$id')({
  validateSearch: ({ lng, done }: Record<string, unknown>) =>
    omitUndefined({ lng: readTextParam(lng, 10), done: readTextParam(done, 400) }),
  loaderDeps: ({ search: { done } }) => ({ done }),
  loader: async ({ params: { id }, deps: { done } }) => {
    const [page, form] = await Promise.all([readEmbeddedSurvey({ data: { id, ...(done ? { done } : {}) } }), readFormState()])
    if (page.takesAnswers || form) await preloadFields(page.definition)
    return { page, form }
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.page.survey.title.text }] }),
  server: { handlers: { POST: embeddedForm } },
  component: Survey,
})

function Survey() {
  return <EmbeddedSurvey {...Route.useLoaderData()} />
}
