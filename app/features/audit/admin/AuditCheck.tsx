import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { auditCheckQuery } from '../audit.queries.ts'

/** Verifies that every line of the trail is intact, and shows the last hash to be stored elsewhere. */
export function AuditCheck() {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const { data, isError, isFetching, refetch } = useQuery(auditCheckQuery)
  if (isError) return <Notice kind="error" title={admin('load-failed')} />
  if (!data?.data || isFetching) {
    return (
      <div className="table-tools">
        <Button kind="secondary" size="small" pending={isFetching} onClick={() => void refetch()}>
          {t('audit.check')}
        </Button>
      </div>
    )
  }
  const { lines, brokenAt, hash } = data.data
  if (brokenAt !== null)
    return (
      <Notice kind="error" title={t('audit.broken')}>
        {t('audit.broken-at', { number: format.number(brokenAt) })}
      </Notice>
    )
  return (
    <Notice kind="success" title={t('audit.whole', { count: lines, number: format.number(lines) })}>
      <p>
        {t('audit.hash')} <code className="cell-code">{hash}</code>
      </p>
    </Notice>
  )
}
