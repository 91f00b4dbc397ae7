import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { HubEditor } from '#app/features/hubs/admin/HubEditor.tsx'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { hubQuery } from '#app/features/hubs/hubs.queries.ts'
import { ReadOnly } from '#app/shell/read-only.tsx'
import { getButtonClass } from '#app/ui/button.tsx'

export const Route = createFileRoute('/admin/hubs/$id')({
  staticData: { namespaces: ['platform', 'reach'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(hubQuery(params.id)),
  component: Hub,
})

function Hub() {
  const { id } = Route.useParams()
  const { data: hub } = useSuspenseQuery(hubQuery(id)).data
  const { t } = useTranslation('admin')
  if (!hub.meta.can.update) {
    return <ReadOnly title={hub.title} text={t('read-only.hub')} facts={[]} actions={<SeeHub slug={hub.slug} />} />
  }
  return (
    <>
      <HubEditor key={id} id={id} />
      <ReachSummary place={{ kind: 'hub', id }} />
    </>
  )
}

function SeeHub({ slug }: { slug: string }) {
  const { t } = useTranslation('admin')
  return (
    <Link to="/hubs/$slug" params={{ slug }} target="_blank" className={getButtonClass({ kind: 'secondary' })}>
      {t('editor.see')}
    </Link>
  )
}
