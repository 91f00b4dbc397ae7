import { createFileRoute } from '@tanstack/react-router'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { confirmSignInForm } from '#app/features/identity/identity.forms.server.ts'
import { readPendingSignIn } from '#app/features/identity/identity.functions.ts'
import { ConfirmSignInPage } from '#app/features/identity/SignInOutcomes.tsx'

export const Route = createFileRoute('/_site/sign-in_/confirm')({
  staticData: { namespaces: ['identity'] },
  loader: () => readPendingSignIn(),
  head: ({ match: { context } }) => buildIdentityHead(context, 'methods'),
  server: { handlers: { POST: confirmSignInForm } },
  component: Page,
})

function Page() {
  return <ConfirmSignInPage pending={Route.useLoaderData()} />
}
