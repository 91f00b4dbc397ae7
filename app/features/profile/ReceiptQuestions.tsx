import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button } from '#app/ui/button.tsx'
import { ProfileField } from './ProfileField.tsx'
import type { AskedQuestion } from './profile.schema.ts'

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

interface ReceiptQuestionsProps {
  questions: readonly AskedQuestion[]
  /** The receipt's path, to come back to. */
  next: string
}

/** A quiet card on the receipt of a signed-in person. What is refused is shown again on the page of their answers. */
export function ReceiptQuestions({ questions, next }: ReceiptQuestionsProps) {
  const { t } = useTranslation('receipt')
  return (
    <section className="about-you" aria-labelledby="about-you-title">
      <h2 id="about-you-title">{t('about-you.title', { count: questions.length })}</h2>
      <p>{t('about-you.text')}</p>
      <form method="post" action={toLocalHref('/account/about-you')} className="form" noValidate>
        <input type="hidden" name="form" value="receipt" />
        <input type="hidden" name="next" value={next} />
        {questions.map((asked) => (
          <ProfileField key={asked.id} asked={asked} values={{}} errors={NO_ERRORS} />
        ))}
        <div className="form-actions">
          <Button type="submit">{t('about-you.save')}</Button>
          <Button type="submit" kind="secondary" name="later" value="yes">
            {t('about-you.later')}
          </Button>
        </div>
      </form>
    </section>
  )
}
