import { createFileRoute } from '@tanstack/react-router'
import { newsletterQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { NewsletterPage } from '#app/features/campaigns/newsletters/admin/NewsletterPage.tsx'
import { BlockForm } from '#app/features/homepage/admin/BlockForm.tsx'
import { Outline } from '#app/features/homepage/admin/Outline.tsx'

export const Route = createFileRoute('/admin/newsletters/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(newsletterQuery(params.id)),
  component: OneNewsletter,
})

const EDITING = { Outline, BlockForm }

function OneNewsletter() {
  const { id } = Route.useParams()
  return <NewsletterPage key={id} id={id} editing={EDITING} />
}
