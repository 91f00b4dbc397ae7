import { createFileRoute } from '@tanstack/react-router'
import { lettersQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { Letters } from '#app/features/campaigns/newsletters/admin/Letters.tsx'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/newsletters/')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(lettersQuery(deps.page ?? 1)),
  component: NewslettersPage,
})

function NewslettersPage() {
  const { page = 1 } = Route.useSearch()
  return <Letters page={page} />
}
