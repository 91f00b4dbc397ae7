import { useMemo } from 'react'
import type { Option, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { ListField } from '#app/ui/list-field.tsx'
import { localiseText } from '#app/lib/localised-text.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { buildFieldProps, type QuestionProps, toSingleValue } from '../question-field.tsx'
import { OtherText } from './OtherText.tsx'

type LongChoice = QuestionOf<'one_choice' | 'dropdown' | 'demographic'>

/** A single choice among so many options that one looks for it by typing. The text for "other" is always below it, as without a script. */
export function LongChoiceQuestion(props: QuestionProps<LongChoice>) {
  const words = useSurveyWords()
  const { question, values } = props
  const { t, say, language, format } = words
  const field = buildFieldProps(words, props, question.type === 'demographic' && !say(question.help).text ? t('about-you') : undefined)
  const options = useMemo(() => {
    const speak = (text: Option['label'] | undefined) => localiseText(text, language, language).text
    return question.options.map(({ id, label, help, other, exclusive }) => ({
      value: id,
      label: [speak(label), speak(help)].filter(Boolean).join(' – '),
      ...((other || exclusive) && { isAlwaysOffered: true }),
    }))
  }, [question.options, language])
  return (
    <div className="stack">
      <ListField
        {...field}
        options={options}
        defaultValue={toSingleValue(values[field.name]) ?? ''}
        words={{
          none: t('choice.none-yet'),
          help: t('list.help'),
          placeholder: t('list.placeholder'),
          found: t('list.found'),
          nothing: t('list.nothing'),
          count: (count) => t('list.count', { count, number: format.number(count) }),
          more: (shown, count) => t('list.more', { shown: format.number(shown), number: format.number(count) }),
          unknown: (typed) => t('list.unknown', { typed }),
        }}
      />
      <OtherText {...props} />
    </div>
  )
}
