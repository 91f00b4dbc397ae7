import { createFileRoute, redirect } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { AppSetupPage } from '#app/features/accounts/second-step/AppSetupPage.tsx'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { appSetupForm } from '#app/features/accounts/second-step/second-step.forms.server.ts'
import { readAppSetup, readSecondStep } from '#app/features/accounts/second-step/second-step.functions.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/two-step/app')({
  validateSearch: readNextSearch,
  loaderDeps: ({ search: { next } }) => ({ next }),
  loader: async ({ deps: { next } }) => {
    const [{ isOn, isOwed, app }, form] = await Promise.all([readSecondStep(), readFormState()])
    if (app && !form) throw redirect({ to: '/account/two-step', statusCode: 303 })
    const setup = app ? null : await readAppSetup()
    if (!setup && !app) throw redirect({ to: '/account/confirm', search: { next: '/account/two-step/app' }, statusCode: 303 })
    return { isOn, isOwed, setup, form, next: parseLocalPath(next) }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'two-step-app', loaderData?.form),
  server: { handlers: { POST: appSetupForm } },
  component: Page,
})

function Page() {
  return <AppSetupPage {...Route.useLoaderData()} />
}
