import { createFileRoute } from '@tanstack/react-router'
import { letterQuery } from '#app/features/campaigns/campaigns.queries.ts'
import { LetterPage } from '#app/features/campaigns/newsletters/admin/LetterPage.tsx'
import { BlockForm } from '#app/features/homepage/admin/BlockForm.tsx'
import { Outline } from '#app/features/homepage/admin/Outline.tsx'

export const Route = createFileRoute('/admin/newsletters/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(letterQuery(params.id)),
  component: OneNewsletter,
})

const EDITING = { Outline, BlockForm }

function OneNewsletter() {
  const { id } = Route.useParams()
  return <LetterPage key={id} id={id} editing={EDITING} />
}
