import { Link } from '@tanstack/react-router'
import type { useTranslation } from 'react-i18next'
import type { Formatter } from '#app/lib/format.ts'
import { ROLES } from '#app/lib/roles.ts'
import type { Column } from '#app/ui/admin/data-table.tsx'
import type { AuditSearch } from '../audit-search.ts'
import type { auditQuery } from '../audit.queries.ts'

export type AuditRow = Awaited<ReturnType<NonNullable<ReturnType<typeof auditQuery>['queryFn']>>>['data'][number]
type RoleName = (typeof ROLES)[number] | 'participant'

interface AuditColumns {
  t: ReturnType<typeof useTranslation<'people'>>['t']
  role: (name: RoleName) => string
  format: Formatter
  search: AuditSearch
  show: (row: AuditRow) => void
}

/** Label of an action; falls back to its recorded name. */
export const formatAction = (t: AuditColumns['t'], action: string): string =>
  t(`audit.actions.${action}` as 'audit.actions.projects.create', { defaultValue: action })

export const findRole = (name: string | null): RoleName | undefined => (['participant', ...ROLES] as const).find((role) => role === name)

export function buildAuditColumns({ t, role, format, search, show }: AuditColumns): readonly Column<AuditRow>[] {
  const rest = search.trail ? { trail: search.trail } : {}
  const renderTime = (row: AuditRow) => <time dateTime={row.at}>{format.dateTime(row.at)}</time>
  const renderActor = (row: AuditRow) =>
    row.actorId ? (
      <Link to="/admin/audit" search={{ ...rest, actor: row.actorId }}>
        {row.actorName ?? t('audit.gone')}
      </Link>
    ) : (
      t('audit.nobody')
    )
  const renderSubject = (row: AuditRow) =>
    row.subjectId && (
      <Link to="/admin/audit" search={{ ...rest, subject: row.subjectId }}>
        {row.subjectName ?? t('audit.same-subject')}
      </Link>
    )
  return [
    { id: 'at', head: t('audit.when'), underName: true, cell: renderTime },
    {
      id: 'actor',
      head: t('audit.who'),
      underName: (row) => <span className="breaks-anywhere">{renderActor(row)}</span>,
      cell: (row) => {
        const actorRole = row.actorId && findRole(row.actorRole)
        return (
          <>
            {renderActor(row)}
            {actorRole && <div className="cell-note">{role(actorRole)}</div>}
          </>
        )
      },
    },
    {
      id: 'action',
      head: t('audit.what'),
      names: true,
      cell: (row) => (
        <button type="button" className="link-button" onClick={() => show(row)}>
          {formatAction(t, row.action)}
        </button>
      ),
    },
    {
      id: 'subject',
      head: t('audit.subject'),
      underName: (row) => row.subjectName && row.subjectId !== row.actorId && <span className="breaks-anywhere">{renderSubject(row)}</span>,
      cell: (row) => renderSubject(row) || '–',
    },
    { id: 'address', head: t('audit.address'), secondary: true, cell: (row) => row.address ?? '–' },
  ]
}
