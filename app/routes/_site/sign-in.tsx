import { createFileRoute, redirect } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { signInForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readSignInSearch } from '#app/features/accounts/accounts.search.ts'
import { findPendingSignIn } from '#app/features/accounts/second-step/pending-sign-in.ts'
import { SignInPage } from '#app/features/accounts/SignInPages.tsx'
import { readSignInOptions } from '#app/features/identity/identity.functions.ts'
import { ProviderLinks } from '#app/features/identity/ProviderLinks.tsx'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

/** Signing in, and then on to where the reader wanted to go. */
export const Route = createFileRoute('/_site/sign-in')({
  staticData: { namespaces: ['account', 'errors', 'identity'] },
  validateSearch: readSignInSearch,
  loaderDeps: ({ search: { next } }) => ({ next }),
  loader: async ({ context, deps: { next } }) => {
    const form = await readFormState()
    const signedIn = context.queryClient.getQueryData(currentUserQuery.queryKey)?.user
    if (signedIn && !form) throw redirect({ href: parseLocalPath(next) ?? toLocalHref('/account'), statusCode: 303, reloadDocument: true })
    return { form, options: await readSignInOptions({ data: { audience: 'residents' } }) }
  },
  head: ({ loaderData, match: { context } }) =>
    buildAccountHead(context, findPendingSignIn(loaderData?.form ?? null) ? 'second-step' : 'sign-in', loaderData?.form),
  server: { handlers: { POST: signInForm } },
  component: Page,
})

function Page() {
  const { form, options } = Route.useLoaderData()
  const search = Route.useSearch()
  return <SignInPage form={form} {...search} providers={<ProviderLinks options={options} next={search.next} aboveForm />} />
}
