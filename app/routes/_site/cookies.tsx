import { createFileRoute } from '@tanstack/react-router'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { saveConsent } from '#app/shell/consent.forms.server.ts'
import { ConsentPage } from '#app/shell/consent-page.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/cookies')({
  staticData: { namespaces: ['cookies', 'errors'], hideIntercom: true },
  loader: () => readFormState(),
  head: (found) => {
    const { i18n } = found.match.context
    const title = i18n.t('cookies:title')
    return buildPageHead(found, { title: found.loaderData ? i18n.t('cookies:error-title', { title }) : title, path: '/cookies' })
  },
  server: { handlers: { POST: saveConsent } },
  component: Page,
})

function Page() {
  return <ConsentPage refused={Route.useLoaderData() !== null} />
}
