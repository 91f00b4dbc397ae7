import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { APPEARANCE_DRAFT, useLookChecks } from '#app/features/appearance/admin/appearance-draft.ts'
import { AppearanceEditor } from '#app/features/appearance/admin/AppearanceEditor.tsx'
import { LookDifferences } from '#app/features/appearance/admin/LookDifferences.tsx'
import { type Appearance, readAppearance } from '#app/features/appearance/appearance.schema.ts'
import { ReadOnlyPreview } from '#app/features/live-preview/admin/ReadOnlyPreview.tsx'
import { type Compare, ConflictNotice } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { DraftStatus } from '#app/features/revisions/admin/DraftStatus.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { RevisionTools } from '#app/features/revisions/admin/RevisionTools.tsx'
import { useRevisionDraft } from '#app/features/revisions/admin/use-revision-draft.ts'
import { draftQuery } from '#app/features/revisions/revisions.queries.ts'
import { AppError } from '#app/lib/app-error.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

const PLACE = { subject: 'appearance', placeId: null } as const

export const Route = createFileRoute('/admin/appearance/')({
  staticData: { namespaces: ['editor'] },
  loader: async ({ context }) => {
    const { user } = await context.queryClient.ensureQueryData(currentUserQuery)
    if (user?.roleName !== 'site_admin') throw new AppError('forbidden')
    await context.queryClient.fetchQuery(draftQuery(PLACE))
  },
  component: AppearancePage,
})

function AppearancePage() {
  const { data: saved } = useSuspenseQuery(draftQuery(PLACE))
  // Computed once: from then on the editor holds the current state.
  const [first] = useState(() => ({ id: saved?.id ?? null, content: readAppearance(saved?.content) }))
  const draft = useRevisionDraft(PLACE, first, APPEARANCE_DRAFT)
  const checks = useLookChecks()
  return (
    <AppearanceEditor
      draft={draft}
      status={
        <DraftStatus draft={draft}>
          <Presence place={PLACE} draft={draft} />
        </DraftStatus>
      }
      conflict={<ConflictNotice draft={draft} compare={renderComparison} />}
      tools={<RevisionTools place={PLACE} draft={draft} kind={APPEARANCE_DRAFT} compare={renderComparison} {...checks} />}
      preview={(tokens, language) => <ReadOnlyPreview path="/live-preview/home" tokens={tokens} language={language} />}
    />
  )
}

const renderComparison: Compare<Appearance> = (before, after, labels) => <LookDifferences before={before} after={after} labels={labels} />
