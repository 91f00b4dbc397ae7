import { createFileRoute, redirect } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { PasskeySetupPage } from '#app/features/accounts/second-step/PasskeySetupPage.tsx'
import { passkeySetupForm } from '#app/features/accounts/second-step/second-step.forms.server.ts'
import { readSecondStep } from '#app/features/accounts/second-step/second-step.functions.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/two-step/passkey')({
  validateSearch: readNextSearch,
  loaderDeps: ({ search: { next } }) => ({ next }),
  loader: async ({ deps: { next } }) => {
    const [{ isOn, isOwed, mayChange }, form] = await Promise.all([readSecondStep(), readFormState()])
    if (!mayChange) throw redirect({ to: '/account/confirm', search: { next: '/account/two-step/passkey' }, statusCode: 303 })
    return { isOn, isOwed, form, next: parseLocalPath(next) }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'two-step-passkey', loaderData?.form),
  server: { handlers: { POST: passkeySetupForm } },
  component: Page,
})

function Page() {
  return <PasskeySetupPage {...Route.useLoaderData()} />
}
