import { useTranslation } from 'react-i18next'
import { toFormValues } from '#app/features/surveys/questionnaire/answers.ts'
import type { FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Text } from '#app/ui/text.tsx'
import { ProfileField } from './ProfileField.tsx'
import type { OwnAnswer } from './profile.schema.ts'

interface OwnAnswersProps {
  answers: readonly OwnAnswer[]
  /** What a refused form was sent with, for the questions that it is about. */
  refused: { questions: readonly string[]; values: FormValues; errors: ReadonlyMap<string, string> } | undefined
}

/** What a person said about themselves: each question with a form to change the answer and one to delete it. */
export function OwnAnswers({ answers, refused }: OwnAnswersProps) {
  const { t } = useTranslation('account')
  if (answers.length === 0) return <p>{t('about-you.none')}</p>
  return answers.map((own) => <OwnAnswerCard key={own.id} own={own} refused={refused?.questions.includes(own.key) ? refused : undefined} />)
}

function OwnAnswerCard({ own, refused }: { own: OwnAnswer; refused: OwnAnswersProps['refused'] }) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const action = useFormAction()
  const values = refused?.values ?? (own.answer === null ? {} : toFormValues([own.question], { [own.key]: own.answer }))
  const question = own.label.text
  return (
    <section className="about-you" aria-label={question}>
      {own.retired ? (
        <>
          <h2>
            <Text words={own.label} />
          </h2>
          <p>{own.lines.join(', ')}</p>
          <p className="meta">{t('about-you.retired')}</p>
        </>
      ) : (
        <form method="post" action={action} className="form" noValidate>
          <input type="hidden" name="form" value="save" />
          <input type="hidden" name="question" value={own.key} />
          <ProfileField asked={own} values={values} errors={refused?.errors ?? new Map()} />
          <div className="form-actions">
            <Button type="submit" kind="secondary" aria-label={t('about-you.save-named', { question })}>
              {t('about-you.save')}
            </Button>
          </div>
        </form>
      )}
      <p className="meta">
        {own.answeredAt && t('about-you.given-at', { date: format.date(own.answeredAt) })}
        {own.source ? <> · {t(`about-you.sources.${own.source}`)}</> : t('about-you.not-given')}
      </p>
      {own.answer !== null && (
        <form method="post" action={action}>
          <input type="hidden" name="form" value="forget" />
          <input type="hidden" name="question" value={own.key} />
          <Button type="submit" kind="plain" size="small" aria-label={t('about-you.delete-named', { question })}>
            {t('about-you.delete')}
          </Button>
        </form>
      )}
    </section>
  )
}
