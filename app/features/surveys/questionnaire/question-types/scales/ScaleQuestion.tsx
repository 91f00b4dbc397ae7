import { Rating } from '#app/ui/rating.tsx'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { getScaleEnds } from './scales.ts'

export function ScaleQuestion(props: QuestionProps<QuestionOf<'rating' | 'scale' | 'nps'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { question, values } = props
  const { min, max, low, high } = getScaleEnds(question)
  const field = buildFieldProps(words, props)
  const sent = toSingleValue(values[field.name])
  const ends =
    question.type === 'nps'
      ? { low: say(low).text || t('scale.unlikely'), high: say(high).text || t('scale.likely') }
      : { low: say(low).text || t('scale.of', { step: min, max }), high: say(high).text || t('scale.of', { step: max, max }) }
  return (
    <Rating
      {...field}
      from={min}
      steps={max}
      {...ends}
      look={question.type === 'rating' ? question.look : undefined}
      defaultValue={sent && /^\d+$/.test(sent) ? Number(sent) : undefined}
    />
  )
}
