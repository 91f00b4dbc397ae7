import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

/** A person's own account pages: visitors are asked to sign in and then come back. */
export const Route = createFileRoute('/_site/account')({
  staticData: { namespaces: ['account', 'errors'] },
  beforeLoad: ({ context, location }) => {
    if (context.queryClient.getQueryData(currentUserQuery.queryKey)?.user) return
    throw redirect({ to: '/sign-in', search: { next: toLocalHref(location.pathname) }, statusCode: 303 })
  },
  component: Outlet,
})
