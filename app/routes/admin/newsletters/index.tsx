import { createFileRoute } from '@tanstack/react-router'
import { newslettersQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { NewsletterList } from '#app/features/campaigns/newsletters/admin/NewsletterList.tsx'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/newsletters/')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(newslettersQuery(deps.page ?? 1)),
  component: NewslettersPage,
})

function NewslettersPage() {
  const { page = 1 } = Route.useSearch()
  return <NewsletterList page={page} />
}
