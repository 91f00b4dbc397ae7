import { type Bar, BarChart } from '#app/ui/bar-chart.tsx'
import { Text } from '#app/ui/text.tsx'
import { optionOf } from './question-types/choices/options.ts'
import { type QuestionFigures, SMALLEST_CELL } from './surveys.figures.ts'
import { type SurveyWords, useSurveyWords } from './use-survey-words.ts'

/** One question's figures: bars with the numbers they stand for, or how many wrote something. */
export function QuestionChart({ figures }: { figures: QuestionFigures }) {
  const words = useSurveyWords()
  const { t, say, format } = words
  const { question, answered } = figures
  const title = <Text words={say(question.title)} />
  if (figures.cells.length === 0) {
    return (
      <section className="chart">
        <h2 className="chart-title">{title}</h2>
        <p className="chart-note">
          {answered === null
            ? t('results.few', { count: SMALLEST_CELL })
            : t('results.words', { count: answered, number: format.number(answered) })}{' '}
          {t('results.words-none')}
        </p>
      </section>
    )
  }
  return (
    <BarChart
      title={title}
      note={<Note words={words} figures={figures} />}
      heads={{ label: t('results.heads.answer'), bar: t('results.heads.share'), count: t('results.heads.people') }}
      bars={figures.cells.map((cell) => barOf(words, figures, cell))}
      full={Math.max(1, answered ?? 1)}
    />
  )
}

function Note({ words: { t, format }, figures }: { words: SurveyWords; figures: QuestionFigures }) {
  const { question, answered, asked, mean, median } = figures
  const base =
    answered === null ? t('results.few', { count: SMALLEST_CELL }) : t('results.base', { count: answered, number: format.number(answered) })
  return (
    <>
      {asked > (answered ?? 0) ? t('results.base-of', { answers: base, number: format.number(asked) }) : base}
      {mean !== null && median !== null && question.type === 'rating' && (
        <>
          {'. '}
          {t('results.mean', { mean: format.number(round(mean)), max: question.scale.max, median: format.number(median) })}
        </>
      )}
      {question.type === 'several_choices' && <>. {t('results.several')}</>}
      {question.removed && <>. {t('results.removed')}</>}
    </>
  )
}

const round = (value: number) => Math.round(value * 10) / 10

function barOf(words: SurveyWords, { question, answered }: QuestionFigures, { value, count }: QuestionFigures['cells'][number]): Bar {
  const { t, format } = words
  const label = labelOf(words, question, value)
  if (count === null) return { label, count: 0, counted: t('results.few', { count: SMALLEST_CELL }) }
  return {
    label,
    count,
    share: format.percent(answered ? count / answered : 0),
    counted: t('results.counted', { count, number: format.number(count) }),
  }
}

function labelOf({ t, say }: SurveyWords, question: QuestionFigures['question'], value: string): string {
  if (question.type === 'rating') {
    const end = value === '1' ? say(question.scale.low) : value === String(question.scale.max) ? say(question.scale.high) : undefined
    return end?.text ? t('results.end', { step: value, words: end.text }) : value
  }
  const option = 'options' in question ? optionOf(question, value) : undefined
  const label = option ? say(option.label).text : value
  return question.removedOptions?.includes(value) ? t('results.removed-option', { option: label }) : label
}
