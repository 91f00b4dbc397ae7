import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { TRANSLATED_KINDS, type TranslatedKind } from '../site-settings.schema.ts'
import { translationGapsQuery } from '../site-settings.queries.ts'

const LISTS = {
  projects: '/admin/projects',
  surveys: '/admin/surveys',
  activities: '/admin/contributions',
  hubs: '/admin/hubs',
  pages: '/admin/pages',
} as const satisfies Partial<Record<TranslatedKind, string>>

/** How many things have no title in each language of the site. */
export function TranslationGaps() {
  const { t } = useTranslation('platform')
  const format = useFormat()
  const { contentLanguages: languages } = useSite()
  const gaps = useSuspenseQuery(translationGapsQuery).data
  const kinds = TRANSLATED_KINDS.filter((kind) => gaps.some((gap) => gap.kind === kind))
  const countMissing = (kind: TranslatedKind, language: string) =>
    gaps.find((gap) => gap.kind === kind && gap.language === language)?.missing ?? 0
  if (languages.length < 2) return null
  return (
    <section className="admin-panel" aria-labelledby="translation-gaps">
      <h2 id="translation-gaps">{t('settings.gaps')}</h2>
      {kinds.length === 0 ? (
        <p>{t('settings.no-gaps')}</p>
      ) : (
        <>
          <p>{t('settings.gaps-text')}</p>
          <WideTable label={t('settings.gaps')}>
            <table className="admin-table">
              <caption className="visually-hidden">{t('settings.gaps')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('settings.kind')}</th>
                  {languages.map((language) => (
                    <th key={language} scope="col">
                      {getLanguageName(language)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {kinds.map((kind) => (
                  <tr key={kind}>
                    <th scope="row">
                      {kind === 'topics' ? (
                        <a href="#site-topics">{t('settings.kinds.topics')}</a>
                      ) : (
                        <Link to={LISTS[kind]}>{t(`settings.kinds.${kind}`)}</Link>
                      )}
                    </th>
                    {languages.map((language) => {
                      const missing = countMissing(kind, language)
                      return <td key={language}>{missing === 0 ? t('settings.complete') : format.number(missing)}</td>
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </WideTable>
        </>
      )}
    </section>
  )
}
