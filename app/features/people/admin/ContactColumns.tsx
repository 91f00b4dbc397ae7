import { useTranslation } from 'react-i18next'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import type { AnswerColumn, ContactsReport } from '../contacts/contacts.schema.ts'

interface ContactColumnsProps {
  report: ContactsReport
  onChange: (answers: AnswerColumn[]) => void
}

/** The columns of a file with a sample of each, and a select for those that could answer a question about people. */
export function ContactColumns({ report: { columns, questions }, onChange }: ContactColumnsProps) {
  const { t } = useTranslation('people')
  const answers = columns.flatMap(({ question }, column) => (question === null ? [] : [{ column, question }]))
  const choose = (column: number, question: string) => {
    const others = answers.filter((one) => one.column !== column)
    onChange(question === '' ? others : [...others, { column, question }])
  }
  return (
    <section className="admin-stack">
      <h2 id="contact-columns">{t('contacts.map')}</h2>
      <p>{t('contacts.map-text')}</p>
      <WideTable label={t('contacts.map')}>
        <table className="admin-table" aria-labelledby="contact-columns">
          <thead>
            <tr>
              <th scope="col">{t('contacts.column')}</th>
              <th scope="col">{t('contacts.sample')}</th>
              <th scope="col">{t('contacts.holds')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ heading, sample, use, question }, column) => {
              const asked = questions.find(({ key }) => key === question)
              return (
                <tr key={column}>
                  <th scope="row">{heading || '–'}</th>
                  <td className="breaks-anywhere">{sample || '–'}</td>
                  <td>
                    {use !== null && use !== 'answer' ? (
                      t(`contacts.uses.${use}`)
                    ) : (
                      <select
                        className="input select"
                        aria-label={`${t('contacts.holds')}: ${heading}`}
                        value={question ?? ''}
                        onChange={(event) => choose(column, event.currentTarget.value)}
                      >
                        <option value="">{t('contacts.nothing')}</option>
                        {questions
                          .filter(({ key }) => key === question || answers.every((one) => one.question !== key))
                          .map(({ key, label }) => (
                            <option key={key} value={key}>
                              {label}
                            </option>
                          ))}
                      </select>
                    )}
                    {asked && <p className="meta">{`${asked.purpose} · ${t('questions.kept', { count: asked.retentionMonths })}`}</p>}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </WideTable>
    </section>
  )
}
