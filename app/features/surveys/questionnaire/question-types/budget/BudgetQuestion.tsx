import { useState } from 'react'
import { FieldGroup } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { listOfferedOptions } from '../choices/options.ts'
import { buildControlId, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { formatAmount, budget, sumAmounts } from './budget.ts'

/** An amount field per option, and what is left of the total. */
export function BudgetQuestion(props: QuestionProps<QuestionOf<'budget'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { question, values, errors } = props
  const [given, setGiven] = useState<number>()
  const field = buildFieldProps(words, props, t('budget.rule', { total: formatAmount(words, question, question.total) }))
  const updateGiven = (form: HTMLFormElement | null) => {
    if (!form) return
    const sent = new FormData(form)
    const answer = budget.read(question, (...part) => sent.getAll(buildFieldName(question.id, ...part)).map(String))
    setGiven(sumAmounts(typeof answer === 'object' && 'amounts' in answer ? answer.amounts : {}))
  }
  const left = given === undefined ? undefined : question.total - given
  return (
    <FieldGroup field={field}>
      <div className="budget" onInput={(event) => updateGiven((event.target as HTMLInputElement).form)}>
        {listOfferedOptions(question).map((option, index) => {
          const name = buildFieldName(question.id, option.id)
          const help = say(option.help)
          return (
            <div key={option.id} data-invalid={errors.has(name) || undefined}>
              <label htmlFor={buildControlId(question, index, option.id)}>
                <Text words={say(option.label)} />
                {help.text && (
                  <span className="option-hint">
                    <Text words={help} />
                  </span>
                )}
              </label>
              <input
                className="input input-width-10"
                type="text"
                inputMode="numeric"
                id={buildControlId(question, index, option.id)}
                name={name}
                defaultValue={toSingleValue(values[name])}
                autoComplete="off"
              />
            </div>
          )
        })}
      </div>
      <output className="field-count" data-over={left !== undefined && left < 0 ? true : undefined}>
        {left !== undefined &&
          (left === 0
            ? t('budget.whole')
            : t(left < 0 ? 'budget.over' : 'budget.left', { amount: formatAmount(words, question, Math.abs(left)) }))}
      </output>
    </FieldGroup>
  )
}
