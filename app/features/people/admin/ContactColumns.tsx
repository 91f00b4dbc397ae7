import { useTranslation } from 'react-i18next'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import type { AnswerColumn, ContactsReport } from '../contacts/contacts.schema.ts'

interface ContactColumnsProps {
  report: ContactsReport
  onChange: (answers: AnswerColumn[]) => void
}

/** The columns of a file with a sample of each, and a select for those that could answer a question about people. */
export function ContactColumns({ report: { columns, questions }, onChange }: ContactColumnsProps) {
  const { t } = useTranslation('people')
  const { t: common } = useTranslation()
  const answers = columns.flatMap(({ question }, column) => (question === null ? [] : [{ column, question }]))
  const choose = (column: number, question: string) => {
    const others = answers.filter((one) => one.column !== column)
    onChange(question === '' ? others : [...others, { column, question }])
  }
  return (
    <section className="admin-stack">
      <h2>{t('contacts.map')}</h2>
      <p>{t('contacts.map-text')}</p>
      <DataTable
        caption={t('contacts.map')}
        rows={columns.map((one, column) => ({ ...one, column }))}
        rowKey={({ column }) => String(column)}
        loadingLabel={common('loading')}
        empty={null}
        columns={[
          {
            id: 'column',
            head: t('contacts.column'),
            names: true,
            cell: ({ heading }) => <span className="breaks-anywhere">{heading || '–'}</span>,
          },
          {
            id: 'sample',
            head: t('contacts.sample'),
            underName: true,
            cell: ({ sample }) => <span className="breaks-anywhere">{sample || '–'}</span>,
          },
          {
            id: 'holds',
            head: t('contacts.holds'),
            acts: true,
            cell: ({ column, heading, use, question }) =>
              use === null || use === 'answer' ? (
                <QuestionChoice
                  heading={heading}
                  question={question}
                  offered={questions.filter(({ key }) => key === question || answers.every((one) => one.question !== key))}
                  onChange={(key) => choose(column, key)}
                />
              ) : (
                t(`contacts.uses.${use}`)
              ),
          },
        ]}
      />
    </section>
  )
}

interface QuestionChoiceProps {
  heading: string
  question: string | null
  offered: ContactsReport['questions']
  onChange: (key: string) => void
}

/** Which question a column answers, with why it is asked and how long answers are kept. */
function QuestionChoice({ heading, question, offered, onChange }: QuestionChoiceProps) {
  const { t } = useTranslation('people')
  const asked = offered.find(({ key }) => key === question)
  return (
    <>
      <select
        className="input select"
        aria-label={`${t('contacts.holds')}: ${heading}`}
        value={question ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{t('contacts.nothing')}</option>
        {offered.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {asked && <p className="meta">{`${asked.purpose} · ${t('questions.kept', { count: asked.retentionMonths })}`}</p>}
    </>
  )
}
