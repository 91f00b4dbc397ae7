import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import type { AuditSearch } from '../audit-search.ts'
import { auditQuery } from '../audit.queries.ts'
import { AUDIT_TRAILS, EVENTS_PER_PAGE } from '../audit.schema.ts'
import { buildAuditColumns, type AuditRow } from './audit-columns.tsx'
import { AuditCheck } from './AuditCheck.tsx'
import { AuditDetail } from './AuditDetail.tsx'
import { AuditFilters } from './AuditFilters.tsx'

/** Who did what to what, and when, limited to the viewer's scope. */
export function AuditTrail({ search: sent }: { search: AuditSearch }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const viewer = useViewer()
  const format = useFormat()
  const [shown, setShown] = useState<AuditRow>()
  const list = useList(sent, (next: AuditSearch) => linkOptions({ to: '/admin/audit', search: next }))
  const { search } = list
  const ofPlatform = viewer?.roleName === 'platform_admin'
  const { page: _page, ...filters } = search
  const file = new URLSearchParams(filters).toString()

  return (
    <>
      <PageHeader
        title={admin('nav.audit')}
        meta={t('audit.text')}
        actions={
          <a className={getButtonClass({ kind: 'secondary' })} href={`/admin/audit.csv${file && `?${file}`}`}>
            {t('audit.export')}
          </a>
        }
      />
      {(ofPlatform || viewer?.roleName === 'site_admin') && <AuditCheck />}
      {ofPlatform && (
        <Segmented
          label={t('audit.trail')}
          value={search.trail ?? 'platform'}
          onChange={(trail) => list.change({ trail: trail === 'platform' ? undefined : trail })}
          options={AUDIT_TRAILS.toReversed().map((value) => ({ value, label: t(`audit.trails.${value}`) }))}
        />
      )}
      <ListScreen
        list={list}
        caption={t('audit.caption')}
        columns={buildAuditColumns({ t, role: (name) => admin(`roles.${name}`), format, search, show: setShown })}
        query={useQuery(auditQuery(search, site.timeZone))}
        pageSize={EVENTS_PER_PAGE}
        filters={<AuditFilters list={list} />}
        noMatch={{ title: t('audit.none'), all: t('audit.all') }}
      />
      {shown && <AuditDetail event={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
