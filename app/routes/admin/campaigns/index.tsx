import { createFileRoute } from '@tanstack/react-router'
import { Campaigns } from '#app/features/campaigns/sms-campaigns/admin/Campaigns.tsx'
import { campaignsQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/campaigns/')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(campaignsQuery(deps.page ?? 1)),
  component: CampaignsPage,
})

function CampaignsPage() {
  const { page = 1 } = Route.useSearch()
  return <Campaigns page={page} />
}
