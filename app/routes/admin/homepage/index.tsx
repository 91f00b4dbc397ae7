import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { HomepageEditor, type PreviewInput } from '#app/features/homepage/admin/HomepageEditor.tsx'
import { PageChoice } from '#app/features/homepage/admin/PageChoice.tsx'
import { draftQuery, editedHubsQuery } from '#app/features/homepage/homepage.queries.ts'
import { DEFAULT_BLOCKS, readBlocks } from '#app/features/homepage/homepage.schema.ts'
import { PreviewPane } from '#app/features/live-preview/admin/PreviewPane.tsx'
import { AppError } from '#app/lib/app-error.ts'
import { given, textParam } from '#app/lib/search-params.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

/** The site's homepage, or with `?hub=` a hub's. */
export const Route = createFileRoute('/admin/homepage/')({
  staticData: { namespaces: ['editor'] },
  validateSearch: ({ hub }: Record<string, unknown>): { hub?: string } => given({ hub: textParam(hub, 36) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const [{ user }, hubs] = await Promise.all([
      context.queryClient.ensureQueryData(currentUserQuery),
      context.queryClient.ensureQueryData(editedHubsQuery),
    ])
    if (!deps.hub && user?.roleName !== 'site_admin') {
      const [first] = hubs
      if (!first) throw new AppError('forbidden')
      throw redirect({ to: '/admin/homepage', search: { hub: first.id } })
    }
    if (deps.hub && !hubs.some(({ id }) => id === deps.hub)) throw new AppError('not-found')
    await context.queryClient.fetchQuery(draftQuery(deps.hub ?? null))
  },
  component: Homepage,
})

function Homepage() {
  const { hub: hubId = null } = Route.useSearch()
  const hubs = useSuspenseQuery(editedHubsQuery).data
  const { data: draft } = useSuspenseQuery(draftQuery(hubId))
  const hub = hubs.find(({ id }) => id === hubId)
  // Once: from then on the editor holds what is edited.
  const first = useMemo(() => {
    const blocks = readBlocks(draft?.content)
    return { id: draft?.id ?? null, blocks: blocks.length || hubId ? blocks : DEFAULT_BLOCKS }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hubId])
  return (
    <HomepageEditor
      key={hubId}
      hubId={hubId}
      draft={first}
      title={<PageChoice hubs={hubs} current={hubId} />}
      preview={(input) => <Preview {...input} path={hub ? `/live-preview/hubs/${hub.slug}` : '/live-preview/home'} />}
    />
  )
}

function Preview({ path, blocks, selected, ...rest }: PreviewInput & { path: string }) {
  const { t } = useTranslation('editor')
  const shown = useMemo(() => ({ blocks, tokens: null }), [blocks])
  const block = blocks.find(({ id }) => id === selected)
  return <PreviewPane path={path} shown={shown} selected={selected} selectedName={block && t(`blocks.${block.type}.name`)} {...rest} />
}
