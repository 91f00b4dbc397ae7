import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { FileField } from '#app/ui/admin/file-field.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { sendContacts } from '../contacts/contacts.functions.ts'
import { type AnswerColumn, type ContactsInput, type ContactsReport, LARGEST_CONTACTS, MAX_CONTACTS } from '../contacts/contacts.schema.ts'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'
import { ContactColumns } from './ContactColumns.tsx'
import { ContactLines } from './ContactLines.tsx'

const GROUPS = groupSource({ byHand: true })

/** Imports a table of contacts: checks every line, and then imports all of them, or those that are right if one asks for that. */
export function ImportContacts() {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const hasGroups = (useFirstRecord(GROUPS).total ?? 0) > 0
  const [file, setFile] = useState<File>()
  const [consent, setConsent] = useState('')
  const [isInviting, setInviting] = useState(true)
  const [group, setGroup] = useState<string | null>(null)
  const [answers, setAnswers] = useState<AnswerColumn[] | null>(null)
  const [basis, setBasis] = useState('')
  const [skipsFaulty, setSkipsFaulty] = useState(false)
  const [report, setReport] = useState<ContactsReport>()
  const send = useMutation({
    mutationFn: async ({ store, columns = answers }: { store: boolean; columns?: AnswerColumn[] | null }) => {
      if (!file) throw new UnreadFileError(t('contacts.choose'))
      const content = await readFile(file)
      if (content.content.length > LARGEST_CONTACTS)
        throw new UnreadFileError(t('contacts.too-large', { max: format.number(MAX_CONTACTS) }))
      return sendContacts({
        data: { file: content, store, consent, invite: isInviting, group, answers: columns, basis, skipsFaulty },
      })
    },
    onSuccess: (next) => {
      setReport(next)
      return next.isStored ? invalidatePeople(queryClient) : undefined
    },
  })
  const problem = send.error && toProblem(send.error)
  const isAboutBasis = isAppError(send.error) && send.error.faults[0]?.pointer === '/basis'
  const header = <PageHeader title={t('contacts.title')} meta={<Link to="/admin/people">{admin('nav.people')}</Link>} />
  if (report?.isStored) {
    const fresh = report.lines.filter(({ outcome }) => outcome === 'new').length
    return (
      <div className="admin-stack">
        {header}
        <Notice kind="success" title={t('contacts.stored', { count: fresh, number: format.number(fresh) })}>
          {report.answersStored > 0 &&
            t('contacts.stored-answers', { count: report.answersStored, number: format.number(report.answersStored) })}
        </Notice>
        <ContactLines report={report} />
        <div className="row">
          <Link to="/admin/people" className={getButtonClass()}>
            {t('contacts.see')}
          </Link>
        </div>
      </div>
    )
  }
  // A changed form needs a new check, which is what the button then says.
  const change = (act: () => void) => {
    act()
    setReport(undefined)
    if (send.isError) send.reset()
  }
  const faulty = report?.lines.filter(({ outcome }) => outcome === 'faulty').length ?? 0
  const isReady = report !== undefined && report.lines.length > faulty && (faulty === 0 || skipsFaulty)
  const hasAnswers = report?.columns.some(({ use }) => use === 'answer') ?? false
  return (
    <div className="admin-stack">
      {header}
      <form
        noValidate
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate({ store: false })
        }}
      >
        <p>{t('contacts.text', { max: format.number(MAX_CONTACTS) })}</p>
        <ErrorSummary title={admin('editor.problem')} errors={problem ? [{ id: isAboutBasis ? 'basis' : 'file', message: problem }] : []} />
        <FileField
          name="file"
          label={t('contacts.file')}
          hint={t('contacts.columns')}
          button={t('contacts.choose-file')}
          error={isAboutBasis ? undefined : (problem ?? undefined)}
          accept=".csv,.tsv,.txt,.xlsx"
          onChoose={(chosen) =>
            change(() => {
              setFile(chosen)
              setAnswers(null)
              setSkipsFaulty(false)
            })
          }
        />
        <TextAreaInput
          name="consent"
          label={t('contacts.consent')}
          hint={t('contacts.consent-hint')}
          value={consent}
          onChange={(next) => change(() => setConsent(next))}
          rows={2}
        />
        <CheckInput
          name="invite"
          label={t('contacts.invite')}
          hint={t('contacts.invite-hint')}
          value={isInviting}
          onChange={(on) => change(() => setInviting(on))}
        />
        {hasGroups && (
          <RecordChoice
            name="group"
            label={t('contacts.group')}
            source={GROUPS}
            value={group}
            none={t('contacts.no-group')}
            onChange={(next) => change(() => setGroup(next))}
          />
        )}
        <div className="form-actions">
          <Button type="submit" kind={isReady ? 'secondary' : 'primary'} pending={send.isPending}>
            {t('contacts.check')}
          </Button>
        </div>
      </form>
      {report && report.questions.length > 0 && (
        <ContactColumns
          report={report}
          onChange={(columns) => {
            setAnswers(columns)
            send.mutate({ store: false, columns })
          }}
        />
      )}
      {hasAnswers && (
        <TextAreaInput
          name="basis"
          label={t('contacts.basis')}
          hint={t('contacts.basis-hint')}
          error={isAboutBasis ? (problem ?? undefined) : undefined}
          value={basis}
          onChange={setBasis}
          rows={2}
        />
      )}
      {report && <ContactLines report={report} />}
      {report && faulty > 0 && faulty < report.lines.length && (
        <CheckInput
          name="skips-faulty"
          label={t('contacts.skip', { count: faulty, number: format.number(faulty) })}
          value={skipsFaulty}
          onChange={setSkipsFaulty}
        />
      )}
      {isReady && (
        <div className="form-actions">
          <Button pending={send.isPending} onClick={() => send.mutate({ store: true })}>
            {t('contacts.store')}
          </Button>
        </div>
      )}
    </div>
  )

  function toProblem(error: Error): string {
    if (error instanceof UnreadFileError) return error.message
    if (isAppError(error) && error.faults[0]?.pointer === '/email') return t('contacts.no-column')
    if (isAppError(error) && error.faults[0]?.pointer === '/basis') return t('contacts.basis-missing')
    return describeError(error)
  }
}

/** A workbook is sent as it is, in base64; everything else is text. */
async function readFile(file: File): Promise<ContactsInput['file']> {
  if (!file.name.toLowerCase().endsWith('.xlsx')) return { kind: 'text', content: await file.text() }
  const reader = new FileReader()
  const read = new Promise<string>((done, fail) => {
    reader.addEventListener('load', () => done(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => fail(reader.error ?? new Error('The file cannot be read')))
  })
  reader.readAsDataURL(file)
  return { kind: 'workbook', content: (await read).replace(/^[^,]*,/, '') }
}

/** Its message is localised for the reader. */
class UnreadFileError extends Error {}
