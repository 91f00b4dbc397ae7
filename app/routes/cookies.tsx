import { createFileRoute } from '@tanstack/react-router'
import { saveConsent } from '#app/shell/consent.forms.server.ts'
import { ConsentPage } from '#app/shell/consent-page.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/cookies')({
  staticData: { namespaces: ['errors'], hideIntercom: true },
  loader: () => readFormState(),
  head: ({ match: { context } }) => ({ meta: [{ title: context.i18n.t('cookies.title') }] }),
  server: { handlers: { POST: saveConsent } },
  component: Page,
})

function Page() {
  return <ConsentPage refused={Route.useLoaderData() !== null} />
}
