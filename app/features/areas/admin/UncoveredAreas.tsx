import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { areaMapQuery } from '../area-map.queries.ts'
import { findUncovered } from '../area-map.schema.ts'

/** Names the areas that the map of streets leaves out; nothing if it covers them all. */
export function UncoveredAreas({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  const { data: map } = useQuery(areaMapQuery)
  const { whole, partly } = map ? findUncovered(map) : { whole: [], partly: [] }
  if (whole.length + partly.length === 0) return null
  return (
    <Notice kind="warning" title={t('uncovered.title')}>
      <p>{t('uncovered.text')}</p>
      <ul>
        {whole.length > 0 && <li>{t('uncovered.whole', { names: format.list(whole) })}</li>}
        {partly.length > 0 && <li>{t('uncovered.partly', { names: format.list(partly) })}</li>}
      </ul>
      {children ?? <p>{t('uncovered.mend')}</p>}
    </Notice>
  )
}

/** The same where a map is used, with the way to the map for those who may change it. */
export function UncoveredByMap() {
  const { t } = useTranslation('areas-admin')
  const maySetMap = useViewer()?.roleName === 'site_admin'
  return (
    <UncoveredAreas>
      {maySetMap && (
        <Link to="/admin/settings" hash="street-map">
          {t('draw.no-map-link')}
        </Link>
      )}
    </UncoveredAreas>
  )
}
