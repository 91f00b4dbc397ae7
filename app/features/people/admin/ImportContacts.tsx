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
import { LARGEST_CONTACTS, MAX_CONTACTS } from '../contacts/contacts.schema.ts'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'
import { ContactLines } from './ContactLines.tsx'

const GROUPS = groupSource({ byHand: true })

/** Imports a table of contacts: checks every line, and then imports all of them or none. */
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
  const send = useMutation({
    mutationFn: async (store: boolean) => {
      if (!file) throw new UnreadFileError(t('contacts.choose'))
      const text = await file.text()
      if (text.length > LARGEST_CONTACTS) throw new UnreadFileError(t('contacts.too-large', { max: format.number(MAX_CONTACTS) }))
      return sendContacts({ data: { text, store, consent, invite: isInviting, group } })
    },
    onSuccess: (report) => (report.isStored ? invalidatePeople(queryClient) : undefined),
  })
  const report = send.data
  const problem = send.error && toProblem(send.error)
  const header = <PageHeader title={t('contacts.title')} meta={<Link to="/admin/people">{admin('nav.people')}</Link>} />
  if (report?.isStored) {
    const fresh = report.lines.filter(({ outcome }) => outcome === 'new').length
    return (
      <div className="admin-stack">
        {header}
        <Notice kind="success" title={t('contacts.stored', { count: fresh, number: format.number(fresh) })} />
        <ContactLines lines={report.lines} />
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
    if (report) send.reset()
  }
  const isReady = report !== undefined && report.lines.some(({ outcome }) => outcome !== 'faulty') && !hasFaulty(report.lines)
  return (
    <div className="admin-stack">
      {header}
      <form
        noValidate
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(false)
        }}
      >
        <p>{t('contacts.text', { max: format.number(MAX_CONTACTS) })}</p>
        <ErrorSummary title={admin('editor.problem')} errors={problem ? [{ id: 'file', message: problem }] : []} />
        <FileField
          name="file"
          label={t('contacts.file')}
          hint={t('contacts.columns')}
          button={t('contacts.choose-file')}
          error={problem ?? undefined}
          accept=".csv,.tsv,.txt"
          onChoose={(chosen) => change(() => setFile(chosen))}
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
      {report && <ContactLines lines={report.lines} />}
      {isReady && (
        <div className="form-actions">
          <Button pending={send.isPending} onClick={() => send.mutate(true)}>
            {t('contacts.store')}
          </Button>
        </div>
      )}
    </div>
  )

  function toProblem(error: Error): string {
    if (error instanceof UnreadFileError) return error.message
    if (isAppError(error) && error.faults[0]?.pointer === '/email') return t('contacts.no-column')
    return describeError(error)
  }
}

const hasFaulty = (lines: readonly { outcome: string }[]) => lines.some(({ outcome }) => outcome === 'faulty')

/** Its message is localised for the reader. */
class UnreadFileError extends Error {}
