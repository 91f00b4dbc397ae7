import { createFileRoute } from '@tanstack/react-router'
import { saveConsent } from '#app/shell/consent.forms.server.ts'
import { ConsentPage } from '#app/shell/consent-page.tsx'

export const Route = createFileRoute('/cookies')({
  head: ({ match: { context } }) => ({ meta: [{ title: context.i18n.t('cookies.settings') }] }),
  server: { handlers: { POST: saveConsent } },
  component: ConsentPage,
})
