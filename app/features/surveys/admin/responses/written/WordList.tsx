import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { ResponseTableSearch } from '#app/features/surveys/responses/response-table-search.ts'
import { writtenWordsQuery } from '../../../surveys.queries.ts'

interface WordListProps {
  survey: string
  question: string
  search: ResponseTableSearch
  chosen: string | undefined
  onChoose: (word: string) => void
}

/** The most used words with the number of people; selecting one shows their answers. */
export function WordList({ survey, question, search, chosen, onChoose }: WordListProps) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const { data } = useQuery({ ...writtenWordsQuery(survey, question, search), enabled: open })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('written.words')}</summary>
      {data?.length === 0 && <p className="meta">{t('written.no-words')}</p>}
      {data && data.length > 0 && (
        <ol className="filter-chips">
          {data.map(({ word, answers }) => (
            <li key={word}>
              <button type="button" className="link-button" aria-pressed={chosen === word} onClick={() => onChoose(word)}>
                {word} <small>{format.number(answers)}</small>
              </button>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
