import { createFileRoute } from '@tanstack/react-router'
import { PageEditor } from '#app/features/pages/admin/PageEditor.tsx'
import { pageQuery } from '#app/features/pages/pages.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { AppError } from '#app/lib/app-error.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin/pages/$id')({
  staticData: { namespaces: ['platform', 'teamwork'] },
  loader: async ({ context: { queryClient }, params }) => {
    const { user } = await queryClient.ensureQueryData(currentUserQuery)
    if (user?.roleName !== 'site_admin') throw new AppError('forbidden')
    await queryClient.ensureQueryData(pageQuery(params.id))
  },
  component: Page,
})

function Page() {
  const { id } = Route.useParams()
  return <PageEditor key={id} id={id} comments={<CommentsButton kind="page" id={id} />} />
}
