import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { parse } from 'csv-parse/sync'
import { createInstance } from 'i18next'
import type { ReactElement } from 'react'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, it, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { i18nOptions, sentenceEnds } from '#app/lib/i18n-options.ts'
import { getTranslator, TEXTS } from '#app/server/i18n.ts'
import { currentSiteQuery, siteSettingsQuery } from '#app/shell/page-state.queries.ts'
import { renderMarkup, toVisibleText } from '#tests/support/markup.ts'
import { PollFigures } from '../poll/PollFigures.tsx'
import { formatFiguresCsv } from '../admin/responses/figures-csv.ts'
import type { CombinedQuestion } from '../questionnaire/check-definition.ts'
import { buildQuestionFigures, type QuestionFigures } from './figures.ts'
import { toPublishableFigures, toPublishableQuestion } from './publishable-figures.ts'
import { QuestionChart } from './QuestionChart.tsx'
import { useChartWords } from './use-chart-words.ts'

const NOT_SHOWN = [
  ['en', 'not shown'],
  ['fr-CA', 'non affiché'],
  ['cy', 'heb ei ddangos'],
] as const

function render(element: ReactElement, language: Language = 'en'): string {
  const queryClient = new QueryClient()
  queryClient.setQueryData(currentSiteQuery.queryKey, { site: { region: 'ca', timeZone: 'America/Toronto' } } as never)
  queryClient.setQueryData(siteSettingsQuery.queryKey, {} as never)
  const i18n = createInstance()
  void i18n.use(sentenceEnds).init({ ...i18nOptions, lng: language, resources: TEXTS } as never)
  return renderMarkup(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>{element}</QueryClientProvider>
    </I18nextProvider>,
  )
}

const listRows = (html: string) => Array.from(html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs), ([, row]) => row ?? '').slice(1)
const label = (id: string) => ({ id, label: { en: id, 'fr-CA': id, cy: id } })

/** A question's figures as everybody sees them: how many people chose each option, or gave each number. */
function publish(type: string, counts: Record<string, number>, question: object = {}): QuestionFigures {
  const options = Object.keys(counts).map(label)
  const people = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tallies = [
    { question: 'q', value: '', count: people, total: 0 },
    ...Object.entries(counts).map(([value, count]) => ({ question: 'q', value, count, total: count * Number(value) || 0 })),
  ]
  const asked = { id: 'q', type, title: { en: 'Asked' }, options, ...question } as unknown as CombinedQuestion
  return toPublishableQuestion(buildQuestionFigures(asked, tallies, people))
}

describe('a count that is hidden', () => {
  it.each([
    ['a small one and the one that protects it', { yes: 40, no: 2 }, 2],
    ['sixty of 181, beside four', { walk: 117, bus: 60, boat: 4 }, 2],
  ])('has no number, share or bar: %s', (_, counts, hidden) => {
    const rows = listRows(render(<QuestionChart figures={publish('one_choice', counts)} />))
    const unseen = rows.filter((row) => row.includes('not shown'))
    expect(unseen).toHaveLength(hidden)
    for (const row of unseen) {
      expect(toVisibleText(row)).toMatch(/^\w+ not shown$/)
      expect(row).not.toContain('bar-chart-fill')
    }
  })

  it.each(NOT_SHOWN)(
    'is called the same in %s whether it is small or protects a small one, with one sentence why',
    (language, notShown) => {
      const figures = publish('one_choice', { yes: 40, no: 2 })
      for (const html of [
        render(<QuestionChart figures={figures} />, language),
        render(
          <PollFigures
            question={{ text: 'Asked' }}
            results={{
              people: 42,
              countedAt: new Date(0),
              options: figures.cells.map(({ value, count }) => ({ id: value, label: { text: value }, people: count })),
            }}
          />,
          language,
        ),
      ]) {
        expect(listRows(html).map((row) => toVisibleText(row))).toEqual([`yes ${notShown}`, `no ${notShown}`])
        expect(html).toContain(getTranslator(language, 'common')('not-shown-why').replace(/\.$/, ''))
        expect(html).not.toMatch(/fewer than|moins de 5|llai na/i)
      }
    },
  )

  it('has no part of a stacked bar and no share in the table below it', () => {
    const matrix = { columns: [label('good'), label('bad')], rows: [label('path')] }
    const tallies = { 'path.': 42, 'path.good': 40, 'path.bad': 2 }
    const asked = { id: 'q', type: 'matrix_one', title: { en: 'Asked' }, ...matrix } as unknown as CombinedQuestion
    const figures = toPublishableQuestion(
      buildQuestionFigures(
        asked,
        [['', 42] as const, ...Object.entries(tallies)].map(([value, count]) => ({ question: 'q', value, count, total: 0 })),
        42,
      ),
    )
    const html = render(<QuestionChart figures={figures} />)
    expect(html).toContain('<td>not shown</td><td>not shown</td>')
    expect(html).not.toContain('stacked-share')
    expect(toVisibleText(html)).not.toContain('%')
  })

  it('has no average rank, and no place among the others', () => {
    const options = ['c', 'a', 'b'].map(label)
    const asked = { id: 'q', type: 'ranking', title: { en: 'Asked' }, options } as unknown as CombinedQuestion
    const ranked = (id: string, rank: number, count: number) => ({ question: 'q', value: `${id}.${rank}`, count, total: rank * count })
    // Three people ranked a, always first: the order of averages would put it before the others.
    const figures = toPublishableQuestion(
      buildQuestionFigures(
        asked,
        [{ question: 'q', value: '', count: 20, total: 0 }, ranked('c', 2, 20), ranked('a', 1, 3), ranked('b', 3, 20)],
        20,
      ),
    )
    expect(figures.rows.find(({ value }) => value === 'a')).toMatchObject({ answered: null, mean: null })
    const hidden = figures.rows.filter(({ mean }) => mean === null).map(({ value }) => value)
    expect(figures.rows.slice(-hidden.length).map(({ value }) => value)).toEqual(
      options.map(({ id }) => id).filter((id) => hidden.includes(id)),
    )
    const row = listRows(render(<QuestionChart figures={figures} />)).find((each) => each.includes('>a<')) ?? ''
    expect(toVisibleText(row)).toBe('a not shown')
  })

  it('has no place among languages and ways of answering either', () => {
    const counts = [
      { value: 'cy', count: 4 },
      { value: 'en', count: 90 },
      { value: 'fr-CA', count: 3 },
    ].toSorted((a, b) => b.count - a.count)
    const figures = { responses: 97, medianSeconds: null, questions: [], languages: counts, sources: counts }
    expect(toPublishableFigures(figures).languages.map(({ value }) => value)).toEqual(['en', 'cy', 'fr-CA'])
    const reversed = counts.map((each) => (each.value === 'fr-CA' ? { ...each, count: 4.5 } : each))
    expect(toPublishableFigures({ ...figures, languages: reversed }).languages.map(({ value }) => value)).toEqual(['en', 'cy', 'fr-CA'])
  })

  it('is empty in a file, which says why', () => {
    function Csv() {
      return formatFiguresCsv(useChartWords(), [publish('one_choice', { yes: 40, no: 2 }), publish('one_choice', { yes: 40, no: 20 })])
    }
    const [head, ...lines] = render(<Csv />)
      .trim()
      .split(/\r?\n/)
    expect(head).toMatch(/,not_shown$/)
    const why = 'Some numbers are not shown, so that nobody can be identified.'
    expect(lines.map((line) => line.includes(why))).toEqual([true, true, false, false])
    expect(lines.map((line) => line.split(',')[5])).toEqual(['', '', '40', '20'])
  })

  it('has no range in a file either; a shown one has the ends of its range, if the answers are of a random sample', () => {
    const ranges = [{ value: 'no', from: 0.231_48, until: 0.461_72 }]
    const sample = { sent: 100, population: 5000, list: { en: 'Register' }, responses: 60, ranges, note: 'A sample, of a list.' }
    function Csv() {
      return formatFiguresCsv(useChartWords(), [{ ...publish('one_choice', { yes: 40, no: 20 }), sample }])
    }
    const file = render(<Csv />).replaceAll('&quot;', '"')
    const [heads = [], ...rows] = parse(file, { bom: true })
    const read = (name: string) => rows.map((row) => row[heads.indexOf(name)])
    expect(read('share_from')).toEqual(['', '0.2315'])
    expect(read('share_until')).toEqual(['', '0.4617'])
    expect(read('sample')).toEqual(['A sample, of a list.', 'A sample, of a list.'])
  })
})

test('what only the answers name is not listed at all, and the note says so', () => {
  const few = publish('number', { 17: 2, 18: 1 }, { options: undefined })
  expect(few.cells).toEqual([])
  const figures = publish('number', { 17: 2, 18: 40, 19: 30 }, { options: undefined })
  expect(figures.cells.map(({ value }) => value)).toEqual(['18'])
  const html = toVisibleText(render(<QuestionChart figures={figures} />))
  expect(html).toContain('Some answers are not listed. Some numbers are not shown, so that nobody can be identified')
  expect(html).not.toContain('17')
  const none = toVisibleText(render(<QuestionChart figures={publish('number', { 17: 2, 18: 40 }, { options: undefined })} />))
  // Forty people gave one of them: it is false that every answer was given by few.
  expect(none).toContain('No answers are listed')
  expect(none).not.toContain('fewer than')
})

test('nobody having answered is a number, not a hidden one', () => {
  const figures = buildQuestionFigures(
    { id: 'q', type: 'budget', title: { en: 'Asked' }, options: [label('a')], total: 100, step: 1 } as never,
    [],
    0,
  )
  expect(toVisibleText(render(<QuestionChart figures={figures} />))).not.toContain('not shown')
})
