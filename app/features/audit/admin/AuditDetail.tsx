import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { isId } from '#app/lib/uuid.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { formatAction, type AuditRow } from './audit-columns.tsx'

type Changes = Record<string, { before?: unknown; after?: unknown }>

/** One audit event in full: every changed field, before and after. */
export function AuditDetail({ event, onClose }: { event: AuditRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const { changes, ...facts } = event.detail as { changes?: Changes } & Record<string, unknown>
  const show = (value: unknown) => formatValue(value, (id) => event.names[id] ?? t('audit.unnamed'))
  return (
    <Dialog title={formatAction(t, event.action)} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="side">
      <div className="admin-stack">
        <DefinitionList
          items={[
            { term: t('audit.number'), value: format.number(event.sequence) },
            { term: t('audit.when'), value: format.dateTime(event.at) },
            { term: t('audit.who'), value: event.actorName ?? (event.actorId ? t('audit.gone') : t('audit.nobody')) },
            ...(event.subjectName ? [{ term: t('audit.subject'), value: event.subjectName }] : []),
            ...(event.address ? [{ term: t('audit.address'), value: event.address }] : []),
            ...Object.entries(facts).map(([name, value]) => ({ term: name, value: show(value) })),
            { term: t('audit.checksum'), value: <code className="cell-code">{event.hash}</code> },
          ]}
        />
        {changes && (
          <table className="admin-table">
            <caption>{t('audit.changes')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('audit.field')}</th>
                <th scope="col">{t('audit.before')}</th>
                <th scope="col">{t('audit.after')}</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(changes).map(([name, { before, after }]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{show(before)}</td>
                  <td>{show(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  )
}

/** @param nameOf the name of what a fact mentions by id */
function formatValue(value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined || value === '') return '–'
  if (isId(value)) return nameOf(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((each) => formatValue(each, nameOf)).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${formatValue(inner, nameOf)}`)
      .join('\n')
  return JSON.stringify(value)
}
