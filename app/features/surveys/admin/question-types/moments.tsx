import { useTranslation } from 'react-i18next'
import { buildControlProps, Field } from '#app/ui/field.tsx'
import type { QuestionEditor } from './question-editor.ts'

export const date: QuestionEditor<'date'> = {
  blank: () => ({}),
  Form: ({ question, change, messageOf }) => <MomentRangeFields type="date" range={question} change={change} messageOf={messageOf} />,
}

export const time: QuestionEditor<'time'> = {
  blank: () => ({}),
  Form: ({ question, change, messageOf }) => <MomentRangeFields type="time" range={question} change={change} messageOf={messageOf} />,
}

interface MomentRange {
  earliest?: string | undefined
  latest?: string | undefined
}

interface MomentRangeFieldsProps {
  type: 'date' | 'time'
  range: MomentRange
  change: (next: MomentRange) => void
  messageOf: (field: string) => string | undefined
}

/** Earliest and latest allowed answer. */
function MomentRangeFields({ type, range, change, messageOf }: MomentRangeFieldsProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <div className="field-row">
      {(['earliest', 'latest'] as const).map((name) => {
        const field = { name, label: t(`question.${name}`), error: messageOf(name) }
        return (
          <Field key={name} field={field}>
            <input
              {...buildControlProps(field)}
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
