import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FieldAnswers } from '../fields/FieldAnswers.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import type { ContributionView } from '../record/contributions.schema.ts'
import { isAskedFor } from '../translating/is-asked-for.ts'
import { Translation } from '../translating/Translation.tsx'

export interface FormerVersionsProps {
  contribution: ContributionView
  form: FormState | null
}

/** The former versions of a contribution. Open if a translation of one was asked for. */
export default function FormerVersions({ contribution, form }: FormerVersionsProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { lang, versions, translations } = contribution
  return (
    <details className="former" open={versions.some(({ id }) => isAskedFor(translations[id], form))}>
      <summary>{t('detail.versions')}</summary>
      {versions.map(({ id, number, title, body, fields, at }) => {
        const translated = translations[id]?.shown?.texts
        const shownLang = translated ? undefined : lang
        const written = t('detail.version-of', { date: format.dateTime(at) })
        return (
          <section key={number}>
            <h2 className="text-step-1" lang={shownLang} dir={getDirection(shownLang)}>
              {translated?.['title'] ?? title}
            </h2>
            <p className="meta">{written}</p>
            <Translation text={translations[id]} about={written} form={form} />
            <PlainText text={body} lang={lang} translated={translated?.['body']} />
            <FieldAnswers answers={fields} lang={lang} translated={translated} />
          </section>
        )
      })}
    </details>
  )
}
