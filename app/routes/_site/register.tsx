import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { registerForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { RegisterPage } from '#app/features/accounts/SignInPages.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/register')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: readNextSearch,
  loader: async () => ({ form: await readFormState() }),
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'register', loaderData?.form),
  server: { handlers: { POST: registerForm } },
  component: Page,
})

const site = getRouteApi('/_site')

function Page() {
  const { pages } = site.useLoaderData()
  return <RegisterPage {...Route.useLoaderData()} {...Route.useSearch()} legal={pages.filter((page) => page.legal)} />
}
