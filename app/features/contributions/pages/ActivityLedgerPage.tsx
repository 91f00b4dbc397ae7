import { useTranslation } from 'react-i18next'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import { LedgerPanel } from '#app/features/ledger/LedgerPanel.tsx'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { ActivityBreadcrumbs } from '../parts/contribution-parts.tsx'
import type { ActivityView } from '../record/contributions.schema.ts'
import { buildLedgerFile } from './ledger-file.ts'

/** The public ledger of an activity, for everybody to check. */
export function ActivityLedgerPage({ activity, ledger }: { activity: ActivityView; ledger: LedgerHead | null }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const file = buildLedgerFile(activity)
  return (
    <div className="page wrap-narrow stack">
      <ActivityBreadcrumbs activity={activity} current={t('contributions.page')} />
      <PageTitle title={t('contributions.page')} eyebrow={<Text words={activity.title} />} lead={t('contributions.lead')} />
      {ledger ? (
        <LedgerPanel
          about={t('contributions.about')}
          ledger={ledger}
          file={file}
          check={async () => {
            const { checkHere } = await import('#app/features/ledger/check-here.ts')
            return { ...(await checkHere(file.path, ledger)), others: [] }
          }}
          same={t('contributions.same')}
          describeSame={({ ledger: { entries, standing } }, seconds) =>
            t('contributions.same-text', {
              count: entries,
              entries: format.number(entries),
              standing: format.number(standing),
              seconds,
            })
          }
        />
      ) : (
        <EmptyState title={t('contributions.none')}>{t('contributions.none-text')}</EmptyState>
      )}
      <p>
        <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/receipt`)}>{t('contributions.own')}</a>
      </p>
    </div>
  )
}
