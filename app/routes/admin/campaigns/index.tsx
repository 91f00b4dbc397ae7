import { createFileRoute } from '@tanstack/react-router'
import { SmsCampaignList } from '#app/features/campaigns/sms-campaigns/admin/SmsCampaignList.tsx'
import { smsCampaignsQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/campaigns/')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(smsCampaignsQuery(deps.page ?? 1)),
  component: CampaignsPage,
})

function CampaignsPage() {
  const { page = 1 } = Route.useSearch()
  return <SmsCampaignList page={page} />
}
