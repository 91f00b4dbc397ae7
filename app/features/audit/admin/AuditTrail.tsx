import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { AuditSearch } from '../audit-search.ts'
import { auditQuery } from '../audit.queries.ts'
import { AUDIT_TRAILS, EVENTS_PER_PAGE } from '../audit.schema.ts'
import { buildAuditColumns, type AuditRow } from './audit-columns.tsx'
import { AuditCheck } from './AuditCheck.tsx'
import { AuditDetail } from './AuditDetail.tsx'
import { AuditFilters } from './AuditFilters.tsx'

/** Who did what to what, and when, limited to the viewer's scope. */
export function AuditTrail({ search }: { search: AuditSearch }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const viewer = useViewer()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const navigate = useNavigate()
  const [shown, setShown] = useState<AuditRow>()
  const { data, isError, isPending, isPlaceholderData, refetch } = useQuery(auditQuery(search, site.timeZone))
  const updateSearch = (next: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) =>
    void navigate({ to: '/admin/audit', search: omitEmptyParams({ ...search, page: undefined, ...next }) })
  const total = data?.meta.total ?? 0
  const page = search.page ?? 1
  const ofPlatform = viewer?.roleName === 'platform_admin'
  const { page: _page, ...filters } = search
  const file = new URLSearchParams(filters).toString()

  return (
    <>
      <PageHeader
        title={admin('nav.audit')}
        meta={t('audit.text')}
        actions={
          <a className={getButtonClass({ kind: 'secondary' })} href={`/admin/audit.csv${file && `?${file}`}`} download>
            {t('audit.export')}
          </a>
        }
      />
      {(ofPlatform || viewer?.roleName === 'site_admin') && <AuditCheck />}
      {ofPlatform && (
        <Segmented
          label={t('audit.trail')}
          value={search.trail ?? 'platform'}
          onChange={(trail) => updateSearch({ trail: trail === 'platform' ? undefined : trail })}
          options={AUDIT_TRAILS.toReversed().map((value) => ({ value, label: t(`audit.trails.${value}`) }))}
        />
      )}
      <AuditFilters search={search} change={updateSearch} />
      <DataTable
        caption={t('audit.caption')}
        columns={buildAuditColumns({ t, role: (name) => admin(`roles.${name}`), format, search, show: setShown })}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('audit.none')} action={<Link to="/admin/audit">{t('audit.all')}</Link>} />}
        error={
          <Notice kind="error" title={admin('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={total}
            page={page}
            size={EVENTS_PER_PAGE}
            link={(number, children, attributes) => (
              <Link to="/admin/audit" search={omitEmptyParams({ ...search, page: number })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
      {shown && <AuditDetail event={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Drops empty parameters to keep the URL short. */
function omitEmptyParams(search: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }): AuditSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  )
}
