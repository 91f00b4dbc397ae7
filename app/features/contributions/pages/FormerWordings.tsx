import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Text } from '#app/ui/text.tsx'
import type { OfficialAnswerView } from '../record/contributions.schema.ts'
import type { PageTranslations } from '../record/translations.schema.ts'
import { isAskedFor } from '../translating/is-asked-for.ts'
import { Translation } from '../translating/Translation.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'

export interface FormerWordingsProps {
  /** It was edited. */
  answer: Pick<OfficialAnswerView, 'former' | 'editedAt'>
  translations: PageTranslations | undefined
  form: FormState | null
}

/** What an official answer said before it was edited, in each language in which the team wrote it. Open if a translation of one was asked for. */
export default function FormerWordings({ answer: { former, editedAt }, translations, form }: FormerWordingsProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (
    <details className="former" open={former.some(({ id }) => isAskedFor(translations?.[id], form))}>
      <summary>{t('answer.edited', { date: format.date(editedAt ?? former[0]?.at ?? '') })}</summary>
      {former.map(({ id, text, others, team, at }) => {
        const until = t('answer.until', { date: format.dateTime(at) })
        return (
          <section key={id}>
            <p className="meta">{until}</p>
            <Translation text={translations?.[id]} about={until} form={form} />
            <PlainText {...text} translated={translations?.[id]?.shown?.texts['body']} />
            {others.map((other) => (
              <details key={other.language}>
                <summary lang={other.language} dir={getDirection(other.language)}>
                  {other.name}
                </summary>
                <PlainText text={other.text} lang={other.language} />
              </details>
            ))}
            {team.text && (
              <p className="official-answer-team">
                <Text words={team} />
              </p>
            )}
          </section>
        )
      })}
    </details>
  )
}
