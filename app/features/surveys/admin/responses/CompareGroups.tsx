import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProfileChoice } from '#app/features/profile-answers/profile-answers.queries.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ShareBar } from '#app/ui/admin/share-bar.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { useSurveyWords } from '../../questionnaire/use-survey-words.ts'
import type { ResponseTableSearch } from '../../responses/response-table-search.ts'
import type { QuestionFigures } from '../../results/figures.ts'
import { type ComparedQuestion, type GroupComparison, hasOneAnswer } from '../../results/group-comparison.schema.ts'
import { groupComparisonQuery } from '../../surveys.queries.ts'

interface CompareGroupsProps {
  survey: string
  /** Only its period counts. */
  search: ResponseTableSearch
  questions: readonly QuestionFigures[]
  /** Questions about people that the site asks. */
  choices: readonly ProfileChoice[]
  hasAreas: boolean
}

const NO_GROUPS = 'none'

/** The answers to every question, group by group. */
export function CompareGroups({ survey, search, questions, choices, hasAreas }: CompareGroupsProps) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const { say } = useSurveyWords()
  const [by, setBy] = useState(NO_GROUPS)
  const { data, isError } = useQuery({ ...groupComparisonQuery(survey, by, search), enabled: by !== NO_GROUPS })
  const own = questions.filter(({ question }) => hasOneAnswer(question.type))
  const isAsked = (key: string) => own.some(({ question }) => question.profile === key)
  const options = [
    { value: NO_GROUPS, label: t('groups.none') },
    ...own.map(({ question }) => ({ value: `question:${question.id}`, label: say(question.title).text })),
    { value: 'language', label: t('groups.language') },
    { value: 'channel', label: t('groups.channel') },
    ...(hasAreas ? [{ value: 'area', label: t('groups.area') }] : []),
    ...choices.filter(({ key, hasSeveral }) => !isAsked(key) && !hasSeveral).map(({ key, label }) => ({ value: `profile:${key}`, label })),
  ]
  return (
    <details className="panel cross-table">
      <summary>{t('groups.title')}</summary>
      <SelectInput name="groups" label={t('groups.by')} value={by} onChange={setBy} options={options} />
      {by !== NO_GROUPS && !data && !isError && <Skeleton label={common('loading')} lines={6} />}
      {by !== NO_GROUPS && isError && <Notice kind="error" title={t('load-failed')} />}
      {by !== NO_GROUPS && data && <Compared comparison={data} />}
    </details>
  )
}

function Compared({ comparison }: { comparison: GroupComparison }) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const { groups, hidden, isFromAccounts, isInFives, questions } = comparison
  return (
    <>
      {groups.length < 2 ? (
        <Notice>{t('groups.too-few')}</Notice>
      ) : (
        <p className="meta">
          {t('groups.shares')} {isInFives && t('groups.fives')} {isFromAccounts && t('groups.accounts')}
        </p>
      )}
      {groups.length >= 2 && hidden.length > 0 && <p className="meta">{t('groups.hidden', { groups: format.list(hidden) })}</p>}
      {groups.length >= 2 && questions.length === 0 && <p className="meta">{t('groups.no-questions')}</p>}
      {questions.map((question) => (
        <QuestionByGroup key={question.id} question={question} groups={groups} />
      ))}
    </>
  )
}

function QuestionByGroup({ question, groups }: { question: ComparedQuestion; groups: GroupComparison['groups'] }) {
  const { t } = useTranslation('survey-admin')
  const { t: words } = useTranslation('survey')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { title, isSeveral, rows, answered, all, finding } = question
  const peopleOf = (id: string) => answered.find(({ value }) => value === id)?.count ?? null
  const formatCount = (count: SuppressibleCount) => (count === null ? common('not-shown') : format.number(count))
  return (
    <section className="compared-question">
      <h3>{title}</h3>
      {finding && <p className="chart-finding">{finding}</p>}
      {isSeveral && <p className="meta">{t('groups.several')}</p>}
      <WideTable label={title}>
        <table className="admin-table">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{words('results.heads.answer')}</th>
              {groups.map(({ id, label }) => (
                <th scope="col" key={id}>
                  {label}
                </th>
              ))}
              <th scope="col">{t('groups.all')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.value}>
                <th scope="row">{row.label}</th>
                {row.cells.map(({ value, count }) => (
                  <td key={value}>
                    <Share count={count} people={peopleOf(value)} />
                  </td>
                ))}
                <td>
                  <Share count={row.all} people={all} />
                </td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('groups.answered')}</th>
              {answered.map(({ value, count }) => (
                <td key={value}>{formatCount(count)}</td>
              ))}
              <td>{formatCount(all)}</td>
            </tr>
          </tbody>
        </table>
      </WideTable>
    </section>
  )
}

function Share({ count, people }: { count: SuppressibleCount; people: SuppressibleCount }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (count === null) return t('not-shown')
  if (!people) return format.number(count)
  const part = Math.min(1, count / people)
  return (
    <>
      <ShareBar part={part} />
      {format.percent(part)} <small>({format.number(count)})</small>
    </>
  )
}
