import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProfileChoice } from '#app/features/profile-answers/profile-answers.queries.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { SearchChanges } from '#app/lib/list-search.ts'
import { ListChoice } from '#app/shell/admin/list-filters.tsx'
import type { List } from '#app/shell/admin/use-list.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { toInstant, toWallTime } from '#app/ui/admin/zoned-time.ts'
import { formatValueLabel } from '../../results/value-labels.ts'
import type { ResponseTableSearch } from '../../responses/response-table-search.ts'
import type { QuestionFigures } from '../../results/figures.ts'
import type { Row } from '../../surveys.schema.ts'
import { surveyVersionsQuery } from '../../surveys.queries.ts'
import { type SurveyWords, useSurveyWords } from '../../questionnaire/use-survey-words.ts'

const ANY_VALUE = 'any'
const SOURCES = ['web', 'api', 'paper', 'import', 'sms'] as const
const MAX_ANSWERS = 10

interface ResponseFiltersProps {
  id: string
  list: List<ResponseTableSearch>
  /** The site's areas, if only figures are shown. */
  areas?: readonly { id: string; name: string }[]
  /** Questions about participants, if only figures are shown. */
  choices?: readonly ProfileChoice[]
  /** Questions whose answers can be filtered by. */
  questions: readonly QuestionFigures[]
  /** A search field, if there are texts to search. */
  children?: ReactNode
}

/** Filters responses by time, language, version, source and answers. */
export function ResponseFilters({ id, list, areas = [], choices = [], questions, children }: ResponseFiltersProps) {
  const { t } = useTranslation('survey-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const words = useSurveyWords()
  const versions = useSuspenseQuery(surveyVersionsQuery(id)).data
  const { search } = list
  const change = (changes: SearchChanges<ResponseTableSearch>) => list.change({ area: undefined, profile: undefined, ...changes })
  const chosen = search.answers?.split(',') ?? []
  const said = questions.flatMap((figures) => listAnswerOptions(words, figures))
  const filterByAnswers = (answers: readonly string[]) => change({ answers: answers.join(',') || undefined })
  return (
    <>
      <FilterBar>
        {children}
        <DayInput
          name="from"
          label={t('responses.from')}
          value={toWallTime(search.from, site.timeZone).date}
          onChange={(date) => change({ from: date ? toInstant({ date, time: '00:00' }, site.timeZone) : undefined })}
        />
        <DayInput
          name="to"
          label={t('responses.to')}
          value={search.to ? toWallTime(new Date(Date.parse(search.to) - 1).toISOString(), site.timeZone).date : ''}
          onChange={(date) => change({ to: date ? toInstant({ date: getDayAfter(date), time: '00:00' }, site.timeZone) : undefined })}
        />
        {site.contentLanguages.length > 1 && (
          <ListChoice
            list={list}
            name="language"
            label={t('responses.language')}
            any={t('responses.any-language')}
            options={site.contentLanguages.map((code) => ({ value: code, label: getLanguageName(code) }))}
            also={{ area: undefined, profile: undefined }}
          />
        )}
        {versions.length > 1 && (
          <SelectInput
            name="version"
            label={t('responses.version')}
            value={search.version ? String(search.version) : ANY_VALUE}
            onChange={(value) => change({ version: value === ANY_VALUE ? undefined : Number(value) })}
            options={[
              { value: ANY_VALUE, label: t('responses.any-version') },
              ...versions.map(({ number, publishedAt }) => ({
                value: String(number),
                label: t('responses.version-of', { number, date: format.shortDate(publishedAt) }),
              })),
            ]}
          />
        )}
        <ListChoice
          list={list}
          name="source"
          label={t('response.source')}
          any={t('responses.any-source')}
          options={SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))}
          also={{ area: undefined, profile: undefined }}
        />
        {said.length > 0 && (
          <SelectInput
            name="answer"
            label={t('responses.who-said')}
            value={ANY_VALUE}
            onChange={(value) => value !== ANY_VALUE && filterByAnswers([...chosen, value])}
            options={[
              { value: ANY_VALUE, label: t(chosen.length > 0 ? 'responses.another-answer' : 'responses.any-answer') },
              ...(chosen.length < MAX_ANSWERS ? said.filter(({ value }) => !chosen.includes(value)) : []),
            ]}
          />
        )}
        {areas.length > 0 && (
          <SelectInput
            name="area"
            label={t('responses.area')}
            value={search.area ?? ANY_VALUE}
            onChange={(value) => list.replace(value === ANY_VALUE ? {} : { area: value })}
            options={[
              { value: ANY_VALUE, label: t('responses.any-area') },
              ...areas.map(({ id: value, name }) => ({ value, label: name })),
            ]}
          />
        )}
        {choices.length > 0 && (
          <SelectInput
            name="profile"
            label={t('responses.about')}
            value={search.profile ?? ANY_VALUE}
            onChange={(value) => list.replace(value === ANY_VALUE ? {} : { profile: value })}
            options={[
              { value: ANY_VALUE, label: t('responses.anybody') },
              ...choices.flatMap(({ key, label, options }) =>
                options.map((option) => ({
                  value: `${key}:${option.value}`,
                  label: `${label}${format.colon}${isAgeGroup(option.value) && !option.label ? admin(`age-groups.${option.value}`) : words.say(option.label ?? undefined).text}`,
                })),
              ),
            ]}
          />
        )}
      </FilterBar>
      {search.profile && <p className="meta">{t('responses.about-hint')}</p>}
      {search.area && <p className="meta">{t('responses.area-hint')}</p>}
      {chosen.length > 0 && (
        <ul className="filter-chips" aria-label={t('responses.who-said')}>
          {chosen.map((value) => {
            const label = said.find((each) => each.value === value)?.label ?? value
            return (
              <li key={value}>
                {label}
                <button
                  type="button"
                  className="link-button"
                  aria-label={t('responses.without', { answer: label })}
                  onClick={() => filterByAnswers(chosen.filter((each) => each !== value))}
                >
                  <Icon name="close" />
                </button>
              </li>
            )
          })}
          <li className="filter-chips-note">{t('responses.together')}</li>
        </ul>
      )}
    </>
  )
}

/** Every possible answer to a question as a filter option: an option, a step, a range, a row with its column. */
function listAnswerOptions(words: SurveyWords, { question, cells, rows }: QuestionFigures): { value: string; label: string }[] {
  const title = words.say(question.title).text
  const own = cells.map(({ value }) => ({
    value: `${question.id}:${value}`,
    label: `${title} ${formatValueLabel(words, question, value)}`,
  }))
  if (!('columns' in question)) return own
  const findLabel = (items: readonly Row[], id: string) => words.say(items.find((item) => item.id === id)?.label).text || id
  return rows.flatMap((row) =>
    row.cells.map(({ value }) => ({
      value: `${question.id}:${row.value}.${value}`,
      label: `${title} ${findLabel(question.rows, row.value)}: ${findLabel(question.columns, value)}`,
    })),
  )
}

function DayInput({ name, label, value, onChange }: { name: string; label: string; value: string; onChange: (day: string) => void }) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <input id={name} name={name} type="date" className="input" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </div>
  )
}

const getDayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
