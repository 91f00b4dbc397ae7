import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { signOutForm } from '#app/features/accounts/accounts.forms.server.ts'
import { SignOutPage } from '#app/features/accounts/SignInPages.tsx'

/** Signing out needs a POST; opening the address only asks. */
export const Route = createFileRoute('/_site/sign-out')({
  staticData: { namespaces: ['account', 'errors'] },
  head: ({ match: { context } }) => buildAccountHead(context, 'sign-out'),
  server: { handlers: { POST: signOutForm } },
  component: SignOutPage,
})
