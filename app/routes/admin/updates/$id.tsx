import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { UpdateEditor } from '#app/features/updates/admin/UpdateEditor.tsx'
import { updateQuery } from '#app/features/updates/updates.queries.ts'
import { ReadOnly } from '#app/shell/read-only.tsx'
import { getButtonClass } from '#app/ui/button.tsx'

export const Route = createFileRoute('/admin/updates/$id')({
  staticData: { namespaces: ['platform', 'plain-words'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(updateQuery(params.id)),
  component: Update,
})

function Update() {
  const { id } = Route.useParams()
  const { t } = useTranslation('admin')
  const { data: update } = useSuspenseQuery(updateQuery(id)).data
  if (update.meta.can.update) return <UpdateEditor key={id} id={id} />
  const project = update.relationships.project?.id ?? ''
  return (
    <ReadOnly
      title={update.title}
      text={t('read-only.updates')}
      facts={[]}
      actions={
        <Link to="/admin/projects/$id/updates" params={{ id: project }} className={getButtonClass({ kind: 'secondary' })}>
          {t('editor.updates')}
        </Link>
      }
    />
  )
}
