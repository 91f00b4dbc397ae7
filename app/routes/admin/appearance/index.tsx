import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AppearanceEditor } from '#app/features/appearance/admin/AppearanceEditor.tsx'
import { appearanceDraftQuery } from '#app/features/appearance/appearance.queries.ts'
import { type Appearance, readAppearance } from '#app/features/appearance/appearance.schema.ts'
import { PreviewPane } from '#app/features/live-preview/admin/PreviewPane.tsx'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin/appearance/')({
  staticData: { namespaces: ['editor'] },
  loader: async ({ context }) => {
    const { user } = await context.queryClient.ensureQueryData(currentUserQuery)
    if (user?.roleName !== 'site_admin') throw new AppError('forbidden')
    await context.queryClient.fetchQuery(appearanceDraftQuery)
  },
  component: AppearancePage,
})

function AppearancePage() {
  const { data: draft } = useSuspenseQuery(appearanceDraftQuery)
  // Once: from then on the editor holds what is edited.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const first = useMemo(() => ({ id: draft?.id ?? null, tokens: readAppearance(draft?.tokens) }), [])
  return <AppearanceEditor draft={first} preview={(tokens, language) => <Preview tokens={tokens} language={language} />} />
}

function Preview({ tokens, language }: { tokens: Appearance; language: Language }) {
  const shown = useMemo(() => ({ blocks: null, tokens: { ...tokens } }), [tokens])
  return (
    <PreviewPane
      path="/live-preview/home"
      shown={shown}
      selected={undefined}
      selectedName={undefined}
      language={language}
      onSelect={nothing}
      onEdit={nothing}
    />
  )
}

const nothing = () => {}
