import type { ReactNode } from 'react'
import type { FieldProps } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName, type FormValues } from '../field-names.ts'
import type { Question } from '#app/features/surveys/surveys.schema.ts'
import type { PlaceMapView } from './places/place-map.schema.ts'
import type { SurveyWords } from '../use-survey-words.ts'

export interface QuestionProps<Q extends Question = Question> {
  question: Q
  /** The values the form was sent with, if it was refused. */
  values: FormValues
  /** Error messages by field. */
  errors: ReadonlyMap<string, string>
  /** The map of a question for a place. */
  map?: PlaceMapView | undefined
  /** Heading level, if the question is the page's heading. */
  heading?: 1 | 2 | undefined
}

export const toSingleValue = (sent: string | string[] | undefined): string | undefined => (Array.isArray(sent) ? sent[0] : sent)
export const toValueList = (sent: string | string[] | undefined): string[] => (Array.isArray(sent) ? sent : sent ? [sent] : [])

/** Field props common to all types: the question as a large label that says whether it is optional, and its help. */
export function buildFieldProps({ t, say }: SurveyWords, { question, errors, heading }: QuestionProps, rule?: string): FieldProps {
  const name = buildFieldName(question.id)
  const help = say(question.help)
  const hint: ReactNode = help.text ? (
    <>
      <Text words={help} />
      {rule && <> {rule}</>}
    </>
  ) : (
    rule
  )
  const fault = [...errors].find(([field]) => field === name || field.startsWith(`${name}.`))
  const beside = fault?.[0] === buildFieldName(question.id, 'other') && 'options' in question
  return {
    name,
    label: (
      <>
        <Text words={say(question.title)} />
        {question.required && <span className="field-optional"> {t('required')}</span>}
      </>
    ),
    labelSize: 'question',
    ...(heading && { heading }),
    ...(hint ? { hint } : {}),
    error: beside ? undefined : fault?.[1],
  }
}

/** Id of a question's control: the first has the field's own name, which the error summary links to. */
export const buildControlId = (question: Question, index: number, ...part: string[]): string =>
  index === 0 ? buildFieldName(question.id) : buildFieldName(question.id, ...part)
