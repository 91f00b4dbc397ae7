import { FieldGroup } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { buildControlId, toValueList, buildFieldProps, type QuestionProps } from '../question-field.tsx'

/** A table with a group of radio buttons or checkboxes per row. On a phone each row is a block. */
export function GridQuestion(props: QuestionProps<QuestionOf<'likert' | 'matrix_one' | 'matrix_several'>>) {
  const words = useSurveyWords()
  const { say, t } = words
  const { question, values, errors } = props
  const several = question.type === 'matrix_several'
  const field = buildFieldProps(words, props, several ? t('grid.several') : undefined)
  const columns = question.columns.filter((column) => !column.removed)
  const columnId = (id: string) => `${field.name}-column-${id}`
  return (
    <FieldGroup field={field}>
      <table className="question-grid">
        <thead>
          <tr>
            <td>
              <span className="visually-hidden">{say(question.title).text}</span>
            </td>
            {columns.map((column) => (
              <th key={column.id} scope="col" id={columnId(column.id)}>
                <Text words={say(column.label)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {question.rows
            .filter((row) => !row.removed)
            .map((row, index) => {
              const name = buildFieldName(question.id, row.id)
              const chosen = toValueList(values[name])
              return (
                <tr key={row.id} data-invalid={errors.has(name) || undefined}>
                  <th scope="row" id={`${name}-row`}>
                    <Text words={say(row.label)} />
                  </th>
                  {columns.map((column, place) => (
                    <td key={column.id}>
                      <label>
                        <input
                          type={several ? 'checkbox' : 'radio'}
                          id={place === 0 ? buildControlId(question, index, row.id) : `${name}-${column.id}`}
                          name={name}
                          value={column.id}
                          defaultChecked={chosen.includes(column.id)}
                          aria-labelledby={`${name}-row ${columnId(column.id)}`}
                        />
                        <span aria-hidden="true">{say(column.label).text}</span>
                      </label>
                    </td>
                  ))}
                </tr>
              )
            })}
        </tbody>
      </table>
    </FieldGroup>
  )
}
