import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type SurveyWords, useSurveyWords } from '../../use-survey-words.ts'
import { buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { getMostCharacters } from './text.ts'

type TextQuestionType = QuestionOf<'short_text' | 'long_text' | 'email' | 'phone'>

export function TextQuestion({ question, ...sent }: QuestionProps<TextQuestionType>) {
  const words = useSurveyWords()
  if (question.type === 'long_text') return <LongText question={question} {...sent} />
  const field = buildFieldProps(words, { question, ...sent }, question.type === 'short_text' ? formatRules(words, question) : undefined)
  const typed = { defaultValue: toSingleValue(sent.values[field.name]) }
  if (question.type === 'email') return <TextField {...field} {...typed} type="email" autoComplete="email" />
  if (question.type === 'phone') return <TextField {...field} {...typed} type="tel" autoComplete="tel" width={20} />
  return <TextField {...field} {...typed} />
}

function formatRules(
  { t, format, say }: SurveyWords,
  { minLength, maxLength, pattern, patternHelp }: QuestionOf<'short_text'>,
): string | undefined {
  const limit = maxLength ? t('characters.rule', { count: maxLength, number: format.number(maxLength) }) : undefined
  const least = minLength ? t('characters.least', { count: minLength, number: format.number(minLength) }) : undefined
  return [pattern ? say(patternHelp).text : undefined, least, limit].filter(Boolean).join(' ') || undefined
}

function LongText({ question, ...sent }: QuestionProps<QuestionOf<'long_text'>>) {
  const words = useSurveyWords()
  const { t, format } = words
  const { minLength } = question
  const max = getMostCharacters(question)
  const least = minLength ? t('characters.least', { count: minLength, number: format.number(minLength) }) : undefined
  const field = buildFieldProps(words, { question, ...sent }, least)
  return (
    <TextArea
      {...field}
      defaultValue={toSingleValue(sent.values[field.name])}
      count={{
        max,
        rule: t('characters.rule', { count: max, number: format.number(max) }),
        left: (left) =>
          t(left < 0 ? 'characters.over' : 'characters.left', { count: Math.abs(left), number: format.number(Math.abs(left)) }),
      }}
    />
  )
}
