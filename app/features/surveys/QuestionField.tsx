import type { ReactNode } from 'react'
import { CheckboxGroup, type Choice, RadioGroup } from '#app/ui/choice-group.tsx'
import type { FieldProps } from '#app/ui/field.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { fieldName, type FormValues, longestOf, otherFieldName } from './surveys.answers.ts'
import type { Question, QuestionOf } from './surveys.schema.ts'
import { type SurveyWords, useSurveyWords } from './use-survey-words.ts'

interface QuestionProps<Q extends Question = Question> {
  question: Q
  /** What the form was sent with, where it comes back. */
  values: FormValues
  /** What is wrong, by field. */
  errors: ReadonlyMap<string, string>
}

/** One question of a survey as the fields of a plain form. */
export function QuestionField({ question, ...sent }: QuestionProps) {
  switch (question.type) {
    case 'short_text':
      return <ShortText question={question} {...sent} />
    case 'long_text':
      return <LongText question={question} {...sent} />
    case 'one_choice':
      return <OneChoice question={question} {...sent} />
    case 'several_choices':
      return <SeveralChoices question={question} {...sent} />
    case 'rating':
      return <RatingQuestion question={question} {...sent} />
  }
}

const first = (sent: string | string[] | undefined): string | undefined => (Array.isArray(sent) ? sent[0] : sent)
const every = (sent: string | string[] | undefined): string[] => (Array.isArray(sent) ? sent : sent ? [sent] : [])

/** What fields of every type have: the question as a large label that says whether it must be answered, and its help. */
function fieldOf({ t, say }: SurveyWords, question: Question, errors: ReadonlyMap<string, string>, rule?: string): FieldProps {
  const name = fieldName(question.id)
  const help = say(question.help)
  const hint: ReactNode = help.text ? (
    <>
      <Text words={help} />
      {rule && <> {rule}</>}
    </>
  ) : (
    rule
  )
  return {
    name,
    label: (
      <>
        <Text words={say(question.title)} />
        {question.required && <span className="field-optional"> {t('required')}</span>}
      </>
    ),
    labelSize: 'question',
    ...(hint ? { hint } : {}),
    error: errors.get(name),
  }
}

function ShortText({ question, values, errors }: QuestionProps<QuestionOf<'short_text'>>) {
  const words = useSurveyWords()
  const { minLength, maxLength } = question
  const { t, format } = words
  const limit = maxLength ? t('characters.rule', { count: maxLength, number: format.number(maxLength) }) : undefined
  const least = minLength ? t('characters.least', { count: minLength, number: format.number(minLength) }) : undefined
  const field = fieldOf(words, question, errors, [least, limit].filter(Boolean).join(' ') || undefined)
  return <TextField {...field} defaultValue={first(values[field.name])} />
}

function LongText({ question, values, errors }: QuestionProps<QuestionOf<'long_text'>>) {
  const words = useSurveyWords()
  const { t, format } = words
  const { minLength } = question
  const max = longestOf(question)
  const least = minLength ? t('characters.least', { count: minLength, number: format.number(minLength) }) : undefined
  const field = fieldOf(words, question, errors, least)
  return (
    <TextArea
      {...field}
      defaultValue={first(values[field.name])}
      count={{
        max,
        rule: t('characters.rule', { count: max, number: format.number(max) }),
        left: (left) =>
          t(left < 0 ? 'characters.over' : 'characters.left', { count: Math.abs(left), number: format.number(Math.abs(left)) }),
      }}
    />
  )
}

function choicesOf(
  { t, say }: SurveyWords,
  question: QuestionOf<'one_choice' | 'several_choices'>,
  values: FormValues,
  errors: ReadonlyMap<string, string>,
): Choice[] {
  const other = otherFieldName(question.id)
  return question.options.map((option) => ({
    value: option.id,
    label: <Text words={say(option.label)} />,
    ...(option.help && say(option.help).text ? { hint: <Text words={say(option.help)} /> } : {}),
    ...(option.other
      ? { reveals: <TextField name={other} label={t('other')} defaultValue={first(values[other])} error={errors.get(other)} /> }
      : {}),
  }))
}

function OneChoice({ question, values, errors }: QuestionProps<QuestionOf<'one_choice'>>) {
  const words = useSurveyWords()
  const field = fieldOf(words, question, errors)
  return <RadioGroup {...field} options={choicesOf(words, question, values, errors)} defaultValue={first(values[field.name])} />
}

function SeveralChoices({ question, values, errors }: QuestionProps<QuestionOf<'several_choices'>>) {
  const words = useSurveyWords()
  const field = fieldOf(words, question, errors, howMany(words, question))
  return <CheckboxGroup {...field} options={choicesOf(words, question, values, errors)} defaultValue={every(values[field.name])} />
}

function howMany({ t }: SurveyWords, { minChoices: min = 0, maxChoices: max }: QuestionOf<'several_choices'>): string {
  if (max === undefined) return min > 1 ? t('choose.least', { count: min }) : t('choose.any')
  if (min === max) return t('choose.exactly', { count: max })
  return min > 1 ? t('choose.between', { min, max }) : t('choose.most', { count: max })
}

function RatingQuestion({ question, values, errors }: QuestionProps<QuestionOf<'rating'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { max, low, high } = question.scale
  const field = fieldOf(words, question, errors)
  const sent = Number(first(values[field.name]))
  return (
    <Rating
      {...field}
      steps={max}
      low={say(low).text || t('scale.of', { step: 1, max })}
      high={say(high).text || t('scale.of', { step: max, max })}
      defaultValue={Number.isInteger(sent) ? sent : undefined}
    />
  )
}
