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

/** What an action is called; one that has no name of its own is shown as it is recorded. */
export const actionName = (t: AuditColumns['t'], action: string): string =>
  t(`audit.actions.${action}` as 'audit.actions.projects.create', { defaultValue: action })

export const roleOf = (name: string | null): RoleName | undefined => (['participant', ...ROLES] as const).find((role) => role === name)

export function auditColumns({ t, role, format, search, show }: AuditColumns): readonly Column<AuditRow>[] {
  const rest = search.trail ? { trail: search.trail } : {}
  return [
    { id: 'at', head: t('audit.when'), cell: (row) => <time dateTime={row.at}>{format.dateTime(row.at)}</time> },
    {
      id: 'actor',
      head: t('audit.who'),
      cell: (row) => {
        const held = roleOf(row.actorRole)
        if (!row.actorId) return t('audit.nobody')
        return (
          <>
            <Link to="/admin/audit" search={{ ...rest, actor: row.actorId }}>
              {row.actorName ?? t('audit.gone')}
            </Link>
            {held && <div className="cell-note">{role(held)}</div>}
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
          {actionName(t, row.action)}
        </button>
      ),
    },
    {
      id: 'subject',
      head: t('audit.subject'),
      cell: (row) =>
        row.subjectId ? (
          <Link to="/admin/audit" search={{ ...rest, subject: row.subjectId }}>
            {row.subjectName ?? <span className="cell-code">{row.subjectId.slice(-6)}</span>}
          </Link>
        ) : (
          '–'
        ),
    },
    { id: 'address', head: t('audit.address'), secondary: true, cell: (row) => row.address ?? '–' },
  ]
}
