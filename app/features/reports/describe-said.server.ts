import type { OutcomeView } from '#app/features/outcomes/outcomes.schema.ts'
import type { Describe } from './describe-report.server.ts'
import type { SaidMost } from './report-surveys.server.ts'
import type { Report } from './report.server.ts'
import type { ReportBlock, ReportCell } from './report.schema.ts'

const createTextCell = (text: string): ReportCell => ({ text, value: text })

/** What people said to each question, and what changed because of what they wrote. */
export const describeSaid: Describe = ({ surveys }, words) => {
  const { t, count, share } = words
  const said = listSaid(surveys)
  const outcomes = surveys?.surveys.flatMap((survey) => survey.outcomes) ?? []
  if (said.length === 0 && outcomes.length === 0) return undefined
  const chosen = said.flatMap(({ question, most, answered }) => (most ? [{ question, ...most, answered }] : []))
  return {
    blocks: [
      ...(said.length > 0 ? [buildFindings(said)] : []),
      ...(chosen.length > 0
        ? [
            {
              kind: 'table' as const,
              caption: t('captions.said'),
              textColumns: 2,
              heads: [t('heads.question'), t('heads.chosen-most'), t('heads.share'), t('heads.answered')],
              rows: chosen.map(({ question, option, count: people, answered }) => [
                createTextCell(question),
                createTextCell(option),
                share(people, answered),
                count(answered),
              ]),
            },
          ]
        : []),
      ...(said.length > 0 ? [{ kind: 'text' as const, text: t('said-note') }] : []),
      ...describeOutcomes(
        words,
        'question',
        outcomes.map(({ question, outcome }) => ({ of: question, outcome })),
      ),
    ],
    figures: [],
  }
}

export const listSaid = (surveys: Report['surveys']): SaidMost[] => surveys?.surveys.flatMap((survey) => survey.said) ?? []

export const buildFindings = (said: readonly SaidMost[]): ReportBlock => ({
  kind: 'terms',
  terms: said.map(({ question, finding }) => ({ term: question, meaning: finding })),
})

/** Decisions beside the figures that they rest on; nothing if there are none. */
export function describeOutcomes(
  { t }: Parameters<Describe>[1],
  of: 'question' | 'activity',
  outcomes: readonly { of: string; outcome: OutcomeView }[],
): ReportBlock[] {
  if (outcomes.length === 0) return []
  return [
    {
      kind: 'table',
      caption: t(`captions.outcomes-${of}`),
      hasShownCaption: true,
      textColumns: 3,
      heads: [t(`heads.${of}`), t('heads.decision'), t('heads.state')],
      rows: outcomes.map(({ of: name, outcome: { title, words, href } }) => [
        createTextCell(name),
        { ...createTextCell(title.text), href },
        createTextCell(words),
      ]),
    },
  ]
}
