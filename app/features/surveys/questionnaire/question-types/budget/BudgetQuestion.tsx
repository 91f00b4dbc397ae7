import { useState } from 'react'
import { FieldGroup } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { fieldName } from '../../answers.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { offered } from '../choices/options.ts'
import { controlId, fieldOf, first, type QuestionProps } from '../question-field.tsx'
import { amountWords, budget, sumOf } from './budget.ts'

/** A box for each thing to give to, and what is left of the total. */
export function BudgetQuestion(props: QuestionProps<QuestionOf<'budget'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { question, values, errors } = props
  const [given, setGiven] = useState<number>()
  const field = fieldOf(words, props, t('budget.rule', { total: amountWords(words, question, question.total) }))
  const count = (form: HTMLFormElement | null) => {
    if (!form) return
    const sent = new FormData(form)
    const answer = budget.read(question, (...part) => sent.getAll(fieldName(question.id, ...part)).map(String))
    setGiven(sumOf(typeof answer === 'object' && 'amounts' in answer ? answer.amounts : {}))
  }
  const left = given === undefined ? undefined : question.total - given
  return (
    <FieldGroup field={field}>
      <div className="budget" onInput={(event) => count((event.target as HTMLInputElement).form)}>
        {offered(question).map((option, index) => {
          const name = fieldName(question.id, option.id)
          const help = say(option.help)
          return (
            <div key={option.id} data-invalid={errors.has(name) || undefined}>
              <label htmlFor={controlId(question, index, option.id)}>
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
                id={controlId(question, index, option.id)}
                name={name}
                defaultValue={first(values[name])}
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
            : t(left < 0 ? 'budget.over' : 'budget.left', { amount: amountWords(words, question, Math.abs(left)) }))}
      </output>
    </FieldGroup>
  )
}
