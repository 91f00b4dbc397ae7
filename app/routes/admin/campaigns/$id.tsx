import { createFileRoute } from '@tanstack/react-router'
import { SmsCampaignPage } from '#app/features/campaigns/sms-campaigns/admin/SmsCampaignPage.tsx'
import { smsCampaignQuery } from '#app/features/campaigns/campaigns.queries.ts'

export const Route = createFileRoute('/admin/campaigns/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(smsCampaignQuery(params.id)),
  component: OneCampaign,
})

function OneCampaign() {
  const { id } = Route.useParams()
  return <SmsCampaignPage key={id} id={id} />
}
