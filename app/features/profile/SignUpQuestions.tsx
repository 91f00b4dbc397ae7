import { useTranslation } from 'react-i18next'
import type { FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import { ProfileField } from './ProfileField.tsx'
import type { AskedQuestion } from './profile.schema.ts'

interface SignUpQuestionsProps {
  questions: readonly AskedQuestion[]
  values: FormValues
  errors: ReadonlyMap<string, string>
}

/** What a newcomer is asked below the password: each question with why it is asked and how long answers are kept. */
export function SignUpQuestions({ questions, values, errors }: SignUpQuestionsProps) {
  const { t } = useTranslation('account')
  const isAnyRequired = questions.some(({ question }) => question.required)
  return (
    <fieldset className="about-you" aria-describedby="about-you-text">
      <legend>
        <h2>{t(isAnyRequired ? 'about-you.some-required' : 'about-you.all-optional')}</h2>
      </legend>
      <p id="about-you-text">{t('about-you.sign-up-text')}</p>
      {questions.map((asked) => (
        <ProfileField key={asked.id} asked={asked} values={values} errors={errors} />
      ))}
    </fieldset>
  )
}
