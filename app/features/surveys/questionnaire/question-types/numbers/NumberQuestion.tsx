import { useState } from 'react'
import { buildControlProps, Field } from '#app/ui/field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type SurveyWords, useSurveyWords } from '../../use-survey-words.ts'
import { buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { formatInUnit, getStep } from './numbers.ts'

export function NumberQuestion(props: QuestionProps<QuestionOf<'number' | 'slider'>>) {
  const words = useSurveyWords()
  const { question, values } = props
  if (question.type === 'slider') return <Slider {...props} question={question} />
  const field = buildFieldProps(words, props, formatRule(words, question))
  return (
    <TextField
      {...field}
      inputMode={question.decimals ? 'decimal' : 'numeric'}
      width={10}
      defaultValue={toSingleValue(values[field.name])}
    />
  )
}

function formatRule(words: SurveyWords, { min, max, unit }: QuestionOf<'number'>): string | undefined {
  const { t, say } = words
  const inUnit = (value: number) => formatInUnit(words, value, unit)
  if (min !== undefined && max !== undefined) return t('number.between', { min: inUnit(min), max: inUnit(max) })
  if (min !== undefined) return t('number.at-least', { min: inUnit(min) })
  if (max !== undefined) return t('number.at-most', { max: inUnit(max) })
  return say(unit).text ? t('number.unit', { unit: say(unit).text }) : undefined
}

/** A number field that works without a script, and with one, a slider beside it. */
function Slider(props: QuestionProps<QuestionOf<'slider'>>) {
  const words = useSurveyWords()
  const { question, values } = props
  const { t, say } = words
  const [shown, setShown] = useState<string>()
  const { min, max, unit, low, high } = question
  const inUnit = (value: number) => formatInUnit(words, value, unit)
  const field = buildFieldProps(words, props, t('number.between', { min: inUnit(min), max: inUnit(max) }))
  const typed = toSingleValue(values[field.name]) ?? ''
  const control = buildControlProps(field)
  return (
    <Field
      field={field}
      after={
        <div className="scale-ends">
          <span>{say(low).text || inUnit(min)}</span>
          <span>{say(high).text || inUnit(max)}</span>
        </div>
      }
    >
      <div className="slider">
        <input
          {...control}
          className="input input-width-4"
          type="text"
          inputMode="numeric"
          defaultValue={typed}
          onInput={(event) => setShown(event.currentTarget.value)}
        />
        <input
          type="range"
          aria-hidden="true"
          tabIndex={-1}
          min={min}
          max={max}
          step={getStep(question)}
          value={Number(shown ?? typed) || min}
          onChange={(event) => {
            const box = document.getElementById(control.id)
            if (!(box instanceof HTMLInputElement)) return
            box.value = event.currentTarget.value
            box.dispatchEvent(new Event('input', { bubbles: true }))
          }}
        />
      </div>
    </Field>
  )
}
