import { useTranslation } from 'react-i18next'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { BarChart } from '#app/ui/bar-chart.tsx'
import { Text } from '#app/ui/text.tsx'
import type { PollResults } from './poll.schema.ts'

/** A poll's published results: bars that are a table. */
export function PollFigures({ question, results }: { question: LocalisedText; results: PollResults }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { notShown, whyNotShown } = useNotShown()
  const formatPeople = (count: number) => t('people', { count, number: format.number(count) })
  return (
    <BarChart
      title={<Text words={question} />}
      note={
        <>
          {t('poll.counted', { people: formatPeople(results.people), date: format.dateTime(results.countedAt.toISOString()) })}
          {results.options.some(({ people }) => people === null) && `. ${whyNotShown}`}
        </>
      }
      heads={{ label: t('poll.heads.answer'), bar: t('poll.heads.share'), count: t('poll.heads.people') }}
      ends={[format.percent(0), format.percent(1)]}
      bars={results.options.map(({ label, people }) => {
        if (people === null) return { label: label.text, notShown }
        const part = results.people > 0 ? Math.min(1, people / results.people) : 0
        return { label: label.text, count: people, share: { part, words: format.percent(part) }, counted: formatPeople(people) }
      })}
    />
  )
}
