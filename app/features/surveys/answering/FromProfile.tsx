import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { getOwn } from '../questionnaire/question-types/question-type.ts'
import { readAnswers } from '../questionnaire/answers.ts'
import type { FormValues } from '../questionnaire/field-names.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { Question } from '../surveys.schema.ts'
import type { ProfileUse } from '../surveys.views.ts'
import { FROM_PROFILE, KEEP_FIELD } from './profile-fields.ts'

interface FromProfileProps {
  profile: ProfileUse
  /** The questions of this part of the form, and what it is created with. */
  questions: readonly Question[]
  values: FormValues
}

/** Above questions: which answers come from what the person said about themselves, or a button that adds them. */
export function FromProfile({ profile, questions, values }: FromProfileProps) {
  const { t } = useSurveyWords()
  const nameAll = useQuestionNames(questions)
  const answers = readAnswers(questions, values)
  const filled = nameAll(profile.filled)
  const offered = nameAll(Object.fromEntries(profile.offered.filter((id) => getOwn(answers, id) === undefined).map((id) => [id, true])))
  return (
    <>
      {filled && <p className="survey-note">{t('profile.filled', { things: filled })}</p>}
      {values['go'] === FROM_PROFILE && <Notice title={t('profile.added')}>{t('profile.added-text')}</Notice>}
      {offered && (
        <div className="survey-profile">
          <p>{t('profile.offer')}</p>
          {/* Enter in a field sends the form as before. */}
          <button type="submit" hidden aria-label={t('send')} />
          <Button type="submit" kind="secondary" name="go" value={FROM_PROFILE}>
            {t('profile.add', { things: offered })}
          </Button>
        </div>
      )}
    </>
  )
}

/** Before sending: whether answers are also kept as what the person says about themselves. */
export function KeepInProfile({ profile, questions }: Omit<FromProfileProps, 'values'>) {
  const { t } = useSurveyWords()
  const things = useQuestionNames(questions)(Object.fromEntries(profile.keepable.map((id) => [id, true])))
  if (!things) return null
  return <Checkbox name={KEEP_FIELD} label={t('profile.keep', { things })} hint={t('profile.keep-text')} />
}

/** Names, as a list, those of the questions that have an entry; empty if there are none. */
function useQuestionNames(questions: readonly Question[]) {
  const { say, format } = useSurveyWords()
  return (of: Readonly<Record<string, unknown>>) =>
    format.list(questions.filter(({ id }) => getOwn(of, id) !== undefined).map(({ title }) => say(title).text))
}
