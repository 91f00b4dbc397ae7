import { type ComponentType, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Text } from '#app/ui/text.tsx'
import type { OfficialAnswerView } from '../record/contributions.schema.ts'
import type { PageTranslations } from '../record/translations.schema.ts'
import { Translation } from '../translating/Translation.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import type { FormerWordingsProps } from './FormerWordings.tsx'

/** In the page from the start. Its script is loaded only where an answer was edited. */
const FormerWordings: ComponentType<FormerWordingsProps> = import.meta.env.SSR
  ? (await import('./FormerWordings.tsx')).default
  : lazy(() => import('./FormerWordings.tsx'))

interface OfficialAnswerProps {
  answer: OfficialAnswerView
  level: 2 | 3
  /** Of the page, if its reader can have texts translated. */
  translations?: PageTranslations
  form?: FormState | null
}

export function OfficialAnswer({ answer, level, translations, form = null }: OfficialAnswerProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const Heading = `h${level}` as const
  const text = translations?.[answer.id ?? '']
  const shown = answer.withdrawn?.reason ?? answer.text
  return (
    <section className="official-answer">
      <Heading>{t(answer.visibility === 'private' ? 'question.answer-for-you' : 'detail.latest-answer')}</Heading>
      <p className="official-answer-head">
        {answer.status && (
          <strong>
            <Text words={answer.status} />
          </strong>
        )}
        <time dateTime={answer.at}>{format.date(answer.at)}</time>
      </p>
      {answer.withdrawn && (
        <p>
          <strong>{t('answer.withdrawn', { date: format.date(answer.withdrawn.at) })}</strong>
        </p>
      )}
      <Translation text={text} about={t('detail.latest-answer')} form={form} />
      {shown.text && <PlainText {...shown} translated={text?.shown?.texts['body']} />}
      {answer.visibility === 'private' && <p className="meta">{t('question.only-you')}</p>}
      {answer.team.text && (
        <p className="official-answer-team">
          <Text words={answer.team} />
        </p>
      )}
      {answer.former.length > 0 && (
        <Suspense>
          <FormerWordings answer={answer} translations={translations} form={form} />
        </Suspense>
      )}
    </section>
  )
}
