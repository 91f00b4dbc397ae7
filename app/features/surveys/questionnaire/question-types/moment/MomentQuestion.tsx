import { FieldGroup } from '#app/ui/field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { buildControlId, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { DATE_PARTS } from './moment.ts'

export function MomentQuestion(props: QuestionProps<QuestionOf<'date' | 'time'>>) {
  const words = useSurveyWords()
  const { t } = words
  const { question, values } = props
  if (question.type === 'time') {
    const field = buildFieldProps(words, props, t('date.time-rule'))
    return <TextField {...field} width={10} defaultValue={toSingleValue(values[field.name])} />
  }
  const field = buildFieldProps(words, props, t('date.rule'))
  return (
    <FieldGroup field={field}>
      <div className="field-row">
        {DATE_PARTS.map((part, index) => {
          const name = buildFieldName(question.id, `-${part}`)
          const id = buildControlId(question, index, `-${part}`)
          return (
            <div className="field-part" key={part}>
              <label htmlFor={id}>{t(`date.${part}`)}</label>
              <input
                className={part === 'year' ? 'input input-width-4' : 'input input-width-2'}
                id={id}
                name={name}
                type="text"
                inputMode="numeric"
                maxLength={part === 'year' ? 4 : 2}
                defaultValue={toSingleValue(values[name])}
                aria-invalid={field.error ? true : undefined}
              />
            </div>
          )
        })}
      </div>
    </FieldGroup>
  )
}
