import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { ResponseTableSearch } from '#app/features/surveys/responses/response-table-search.ts'
import type { QuestionFigures } from '#app/features/surveys/results/figures.ts'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { answerTagsQuery, toCohortFilter, WRITTEN_PER_LIST, type WrittenSearch, writtenAnswersQuery } from '../../../surveys.queries.ts'
import { TagForm } from './TagForm.tsx'
import { useTagging } from './use-tagging.ts'
import { WordList } from './WordList.tsx'

interface WrittenAnswersProps {
  survey: string
  /** The cohort to show. */
  search: ResponseTableSearch
  figures: QuestionFigures
}

/** Written answers to a question, or the text beside "other": with search, tags and word counts. */
export function WrittenAnswers({ survey, search, figures: { question, answered } }: WrittenAnswersProps) {
  const { t } = useTranslation('survey-admin')
  const isText = question.type === 'short_text' || question.type === 'long_text' || question.type === 'place'
  const hasWords = isText || ('options' in question && question.options.some((option) => 'other' in option && option.other))
  const [open, setOpen] = useState(isText)
  if (!hasWords || answered === 0) return null
  if (open) return <WrittenList survey={survey} question={question.id} search={search} />
  return (
    <div>
      <Button kind="secondary" size="small" onClick={() => setOpen(true)}>
        {t('results.see-words')}
      </Button>
    </div>
  )
}

function WrittenList({ survey, question, search }: { survey: string; question: string; search: ResponseTableSearch }) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [written, setWritten] = useState<WrittenSearch>({})
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { data, isPending, isPlaceholderData } = useQuery(writtenAnswersQuery(survey, question, search, written, page))
  const { data: tags = [] } = useQuery(answerTagsQuery(survey, question))
  const put = useTagging(survey, question)
  const rows = data?.data ?? []
  const total = data?.meta.total ?? 0
  const changeSearch = (next: WrittenSearch) => {
    setWritten(next)
    setPage(1)
    setChosen(new Set())
  }
  const toggleAnswer = (id: string, on: boolean) => setChosen((now) => new Set(on ? [...now, id] : [...now].filter((each) => each !== id)))
  const narrowed = Object.keys(written).length > 0
  return (
    <div className="written-answers">
      <div className="row">
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const q = new FormData(event.currentTarget).get('q')
              changeSearch(typeof q === 'string' && q.trim() ? { q: q.trim() } : {})
            }}
          >
            <SearchField
              key={written.q ?? ''}
              id={`written-${question}`}
              name="q"
              label={t('written.search')}
              labelClass="search-field-label"
              button={t('list.find')}
              defaultValue={written.q ?? ''}
            />
          </form>
        </search>
        {narrowed && (
          <Button kind="plain" size="small" onClick={() => changeSearch({})}>
            {t('written.all')}
          </Button>
        )}
      </div>
      {tags.length > 0 && (
        <ul className="filter-chips" aria-label={t('written.tags')}>
          {tags.map(({ tag, answers }) => (
            <li key={tag}>
              <button type="button" className="link-button" aria-pressed={written.tag === tag} onClick={() => changeSearch({ tag })}>
                {tag} <small>{format.number(answers)}</small>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              className="link-button"
              aria-pressed={written.untagged === true}
              onClick={() => changeSearch({ untagged: true })}
            >
              {t('written.untagged')}
            </button>
          </li>
        </ul>
      )}
      <WordList survey={survey} question={question} search={search} chosen={written.word} onChoose={(word) => changeSearch({ word })} />
      {isPending && <Skeleton label={common('loading')} lines={4} />}
      {!isPending && (
        <output className="meta">
          {written.word
            ? t('written.with-word', { count: total, number: format.number(total), word: written.word })
            : t('written.found', { count: total, number: format.number(total) })}
        </output>
      )}
      <ul aria-busy={isPlaceholderData}>
        {rows.map((each) => (
          <li key={each.id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.has(each.id)}
                onChange={(event) => toggleAnswer(each.id, event.currentTarget.checked)}
              />
              <span lang={each.language} dir={getDirection(each.language)}>
                {each.text}
              </span>
            </label>
            <small>{format.dateTime(each.submittedAt)}</small>
            {each.tags.length > 0 && (
              <ul className="filter-chips">
                {each.tags.map((tag) => (
                  <li key={tag}>
                    {tag}
                    <button
                      type="button"
                      className="link-button"
                      aria-label={t('written.untag', { tag })}
                      onClick={() => void put({ tag, remove: true, answers: [each.id] })}
                    >
                      <Icon name="close" />
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <PageButtons page={page} size={WRITTEN_PER_LIST} total={total} onPage={setPage} />
      {rows.length > 0 && (
        <TagForm
          id={question}
          known={tags.map(({ tag }) => tag)}
          chosen={chosen.size}
          total={total}
          onTag={async (tag, everything) => {
            const answers = everything ? { found: { ...written, ...toCohortFilter(search) } } : { answers: [...chosen] }
            if (await put({ tag, ...answers })) setChosen(new Set())
          }}
        />
      )}
    </div>
  )
}
