import { useTranslation } from 'react-i18next'
import { controlProps, Field } from '#app/ui/field.tsx'
import type { QuestionEditor } from './question-editor.ts'

export const date: QuestionEditor<'date'> = {
  blank: () => ({}),
  Form: ({ question, change, messageOf }) => <Range type="date" range={question} change={change} messageOf={messageOf} />,
}

export const time: QuestionEditor<'time'> = {
  blank: () => ({}),
  Form: ({ question, change, messageOf }) => <Range type="time" range={question} change={change} messageOf={messageOf} />,
}

interface Ends {
  earliest?: string | undefined
  latest?: string | undefined
}

interface RangeProps {
  type: 'date' | 'time'
  range: Ends
  change: (next: Ends) => void
  messageOf: (field: string) => string | undefined
}

/** From when until when an answer may lie. */
function Range({ type, range, change, messageOf }: RangeProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <div className="field-row">
      {(['earliest', 'latest'] as const).map((name) => {
        const field = { name, label: t(`question.${name}`), error: messageOf(name) }
        return (
          <Field key={name} field={field}>
            <input
              {...controlProps(field)}
              className="input"
              type={type}
              value={range[name] ?? ''}
              onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
            />
          </Field>
        )
      })}
    </div>
  )
}
