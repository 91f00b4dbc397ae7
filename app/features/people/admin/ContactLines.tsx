import { useTranslation } from 'react-i18next'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { ContactOutcome, ContactsReport } from '../contacts/contacts.schema.ts'

const TONES: Record<ContactOutcome, BadgeTone> = { new: 'ok', known: 'neutral', repeated: 'neutral', faulty: 'bad' }
const OUTCOMES = ['faulty', 'new', 'known', 'repeated'] as const

/** What becomes of every line of a file of contacts; those that stop the import come first. */
export function ContactLines({ report: { lines, questions, isStored } }: { report: ContactsReport }) {
  const { t } = useTranslation('people')
  const { t: errors } = useTranslation('errors')
  const { t: common } = useTranslation()
  const format = useFormat()
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = lines.filter((line) => line.outcome === outcome).length
    return count > 0 ? [t(`contacts.counts.${outcome}`, { count, number: format.number(count) })] : []
  })
  const hasAnswers = lines.some(({ answers }) => answers.length > 0)
  const isFaulty = !isStored && lines.some(({ outcome }) => outcome === 'faulty')
  return (
    <section className="admin-stack">
      <h2>{t('contacts.report')}</h2>
      <Notice kind={isFaulty ? 'error' : 'info'} title={counts.join(' · ')}>
        {isFaulty && t('contacts.mend')}
      </Notice>
      <DataTable
        caption={t('contacts.report')}
        rows={lines.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))}
        rowKey={({ row }) => String(row)}
        loadingLabel={common('loading')}
        empty={null}
        columns={[
          { id: 'row', head: t('contacts.row'), align: 'end', cell: ({ row }) => format.number(row) },
          {
            id: 'email',
            head: t('table.email'),
            names: true,
            cell: ({ email }) => <span className="breaks-anywhere">{email || '–'}</span>,
          },
          {
            id: 'outcome',
            head: t('table.status'),
            underName: true,
            cell: ({ outcome, fault }) => (
              <>
                <Badge tone={TONES[outcome]}>{t(`contacts.outcomes.${outcome}`)}</Badge>
                {fault && <p className="meta">{`${fault.column}: ${errors(...toFaultTitle(fault))}`}</p>}
              </>
            ),
          },
          {
            id: 'agrees',
            head: t('contacts.news'),
            cell: ({ outcome, agrees }) => (outcome === 'new' && agrees ? t('contacts.agreed') : '–'),
          },
          ...(hasAnswers
            ? [
                {
                  id: 'answers',
                  head: t('questions.person'),
                  underName: true as const,
                  cell: ({ answers }: ContactsReport['lines'][number]) =>
                    answers.length === 0
                      ? '–'
                      : answers
                          .map(({ question, text }) => `${questions.find(({ key }) => key === question)?.label ?? question}: ${text}`)
                          .join('; '),
                },
              ]
            : []),
        ]}
      />
    </section>
  )
}
