import { createFileRoute } from '@tanstack/react-router'
import { CampaignPage } from '#app/features/campaigns/sms-campaigns/admin/CampaignPage.tsx'
import { campaignQuery } from '#app/features/campaigns/campaigns.queries.ts'

export const Route = createFileRoute('/admin/campaigns/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(campaignQuery(params.id)),
  component: OneCampaign,
})

function OneCampaign() {
  const { id } = Route.useParams()
  return <CampaignPage key={id} id={id} />
}
