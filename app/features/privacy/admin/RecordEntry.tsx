import { useTranslation } from 'react-i18next'
import { RETENTION } from '#app/lib/retention.ts'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import type { PRIVACY_RECORD } from '../privacy-record.ts'

type Entry = (typeof PRIVACY_RECORD)[number]

/** One kind of data: why it is stored, until when, and who sees it. */
export function RecordEntry({ entry, showsFields }: { entry: Entry; showsFields: boolean }) {
  const { t } = useTranslation('privacy')
  return (
    <section className="admin-panel">
      <h2>{t(`entries.${entry.id}.what`)}</h2>
      <DefinitionList
        items={[
          { term: t('heads.purpose'), value: t(`entries.${entry.id}.purpose`) },
          { term: t('heads.basis'), value: t(`bases.${entry.basis}`) },
          { term: t('heads.retention'), value: t(`retentions.${entry.retention}`, RETENTION) },
          {
            term: t('heads.seen'),
            value: (
              <ul className="admin-list">
                {entry.seenBy.map((viewer) => (
                  <li key={viewer}>{t(`viewers.${viewer}`)}</li>
                ))}
              </ul>
            ),
          },
          { term: t('heads.download'), value: entry.download.length > 0 ? t('included') : t('not-included') },
          { term: t('heads.erasure'), value: t(`erasures.${entry.erasure}`) },
        ]}
      />
      {showsFields && (
        <details>
          <summary>{t('fields')}</summary>
          <ul className="admin-list">
            {entry.fields.map((field) => (
              <li key={field} className="breaks-anywhere">
                <code>{field}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
