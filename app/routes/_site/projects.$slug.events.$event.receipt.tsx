import { createFileRoute } from '@tanstack/react-router'
import { describeEventPage } from '#app/features/events/describe-event-page.ts'
import { signUpReceiptForm } from '#app/features/events/events.forms.server.ts'
import { readSignUpReceipt } from '#app/features/events/events.functions.ts'
import { SignUpReceiptPage } from '#app/features/events/pages/SignUpReceiptPage.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** The receipt of a sign-up. */
export const Route = createFileRoute('/_site/projects/$slug/events/$event/receipt')({
  staticData: { namespaces: ['events', 'errors', 'receipt'] },
  loader: async ({ params: { slug, event } }) => {
    const [page, form] = await Promise.all([readSignUpReceipt({ data: { project: slug, event } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeEventPage(loaderData.event, '/receipt')) : {},
  server: { handlers: { POST: signUpReceiptForm } },
  component: Page,
})

function Page() {
  return <SignUpReceiptPage {...Route.useLoaderData()} />
}
