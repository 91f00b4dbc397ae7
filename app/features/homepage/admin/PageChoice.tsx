import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { useViewer } from '#app/shell/page-state.tsx'

const HUBS = hubSource({ mine: true })

/** The editor's title, with a page selector if there are several pages to edit, or the name of the only department. */
export function PageChoice({ current }: { current: { id: string; title: string } | null }) {
  const { t } = useTranslation('editor')
  const navigate = useNavigate()
  const isSiteAdmin = useViewer()?.roleName === 'site_admin'
  const { total = 0 } = useFirstRecord(HUBS)
  const hasChoice = total > (isSiteAdmin ? 0 : 1)
  return (
    <>
      <h1>{t('title')}</h1>
      {!hasChoice && current && <p className="meta">{current.title}</p>}
      {hasChoice && (
        <RecordChoice
          name="page"
          label={t('page')}
          source={HUBS}
          value={current?.id ?? null}
          {...(isSiteAdmin ? { none: t('site-page') } : {})}
          onChange={(hub) => void navigate({ to: '/admin/homepage', search: hub ? { hub } : {} })}
        />
      )}
    </>
  )
}
