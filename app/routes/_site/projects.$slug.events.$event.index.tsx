import { createFileRoute } from '@tanstack/react-router'
import { describeEventPage } from '#app/features/events/describe-event-page.ts'
import { signUpForm } from '#app/features/events/events.forms.server.ts'
import { readEventPage } from '#app/features/events/events.functions.ts'
import { EventPage } from '#app/features/events/pages/EventPage.tsx'
import { preloadQuestions } from '#app/features/events/pages/lazy-sign-up-questions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** An event, and signing up for it. */
export const Route = createFileRoute('/_site/projects/$slug/events/$event/')({
  staticData: { namespaces: ['events', 'errors', 'survey'] },
  loader: async ({ params: { slug, event } }) => {
    const [page, form] = await Promise.all([readEventPage({ data: { project: slug, event } }), readFormState()])
    await preloadQuestions(page.questions)
    return { page, form }
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeEventPage(loaderData.page.event, '', true)) : {},
  server: { handlers: { POST: signUpForm } },
  component: Page,
})

function Page() {
  return <EventPage {...Route.useLoaderData()} />
}
