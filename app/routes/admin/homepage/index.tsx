import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BlockDifferences } from '#app/features/homepage/admin/BlockDifferences.tsx'
import { HOMEPAGE_DRAFT, useMissingTexts } from '#app/features/homepage/admin/homepage-draft.ts'
import { HomepageEditor, type PreviewInput } from '#app/features/homepage/admin/HomepageEditor.tsx'
import { PageChoice } from '#app/features/homepage/admin/PageChoice.tsx'
import { editedHubQuery, firstHubQuery } from '#app/features/homepage/homepage.queries.ts'
import { DEFAULT_BLOCKS, type HomeBlock, readBlocks } from '#app/features/homepage/homepage.schema.ts'
import { compareBlocks } from '#app/features/homepage/merge-blocks.ts'
import { PreviewPane } from '#app/features/live-preview/admin/PreviewPane.tsx'
import { type Compare, ConflictNotice } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { DraftStatus } from '#app/features/revisions/admin/DraftStatus.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { RevisionTools } from '#app/features/revisions/admin/RevisionTools.tsx'
import { useRevisionDraft } from '#app/features/revisions/admin/use-revision-draft.ts'
import { draftQuery } from '#app/features/revisions/revisions.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'
import { useSite } from '#app/shell/page-state.tsx'

/** Edits the site's homepage, or a hub's with `?hub=`. */
export const Route = createFileRoute('/admin/homepage/')({
  staticData: { namespaces: ['editor', 'teamwork'] },
  validateSearch: ({ hub }: Record<string, unknown>): { hub?: string } => omitUndefined({ hub: readTextParam(hub, 36) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { user } = await context.queryClient.ensureQueryData(currentUserQuery)
    if (!deps.hub && user?.roleName !== 'site_admin') {
      const first = await context.queryClient.fetchQuery(firstHubQuery)
      if (!first) throw new AppError('forbidden')
      throw redirect({ to: '/admin/homepage', search: { hub: first.id } })
    }
    if (deps.hub) {
      const hub = await context.queryClient.ensureQueryData(editedHubQuery(deps.hub))
      if (!hub.meta.can.update) throw new AppError('not-found')
    }
    await context.queryClient.fetchQuery(draftQuery(toPlace(deps.hub)))
  },
  component: Homepage,
})

const toPlace = (hubId: string | null | undefined) => ({ subject: 'homepage', placeId: hubId ?? null }) as const

function Homepage() {
  const { hub } = Route.useSearch()
  return <PageEditor key={hub} hubId={hub ?? null} />
}

function PageEditor({ hubId }: { hubId: string | null }) {
  const hub = useQuery({ ...editedHubQuery(hubId ?? ''), enabled: hubId !== null }).data ?? null
  const place = toPlace(hubId)
  const { data: saved } = useSuspenseQuery(draftQuery(place))
  // Computed once per hub: from then on the editor holds the current state.
  const first = useMemo(() => {
    const blocks: readonly HomeBlock[] = readBlocks(saved?.content)
    return { id: saved?.id ?? null, content: blocks.length || hubId ? blocks : DEFAULT_BLOCKS }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hubId])
  const draft = useRevisionDraft(place, first, HOMEPAGE_DRAFT)
  const missingOf = useMissingTexts()
  const site = useSite()
  return (
    <HomepageEditor
      hubId={hubId}
      title={<PageChoice current={hub} />}
      draft={draft}
      status={
        <>
          <div className="row">
            {hubId ? <CommentsButton kind="hub-page" id={hubId} /> : <CommentsButton kind="homepage" id={site.id} />}
          </div>
          <DraftStatus draft={draft}>
            <Presence place={place} draft={draft} />
          </DraftStatus>
        </>
      }
      conflict={(language) => <ConflictNotice draft={draft} compare={createComparison(language)} />}
      tools={(show, language) => (
        <RevisionTools
          place={place}
          draft={draft}
          kind={HOMEPAGE_DRAFT}
          compare={createComparison(language)}
          missingOf={missingOf}
          isEmpty={draft.content.length === 0}
          onShow={show}
        />
      )}
      preview={(input) => <Preview {...input} path={hub ? `/live-preview/hubs/${hub.slug}` : '/live-preview/home'} />}
    />
  )
}

const createComparison =
  (language: ContentLanguage): Compare<readonly HomeBlock[]> =>
  (before, after, labels) => (
    <BlockDifferences
      differences={compareBlocks(before, after)}
      language={language}
      beforeLabel={labels.before}
      afterLabel={labels.after}
    />
  )

function Preview({ path, blocks, selected, ...rest }: PreviewInput & { path: string }) {
  const { t } = useTranslation('editor')
  const shown = useMemo(() => ({ blocks, tokens: null }), [blocks])
  const block = blocks.find(({ id }) => id === selected)
  return <PreviewPane path={path} shown={shown} selected={selected} selectedName={block && t(`blocks.${block.type}.name`)} {...rest} />
}
