import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord, useRecordName } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { parseAddresses } from '#app/features/invitations/invitations.schema.ts'
import { invitationBatchesQuery } from '../../surveys.queries.ts'
import { createBatch, type InvitationSubject } from './invitation-subject.ts'

const GROUPS = groupSource()
const MAX_LINES_SHOWN = 5

/** Emails personal links to pasted addresses and to the people in a group. */
export function SendLinks({ subject }: { subject: InvitationSubject }) {
  const { t } = useTranslation('survey-access')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const mayInvite = subject.canInvite
  const hasGroups = (useFirstRecord(GROUPS, mayInvite).total ?? 0) > 0
  const [pasted, setPasted] = useState('')
  const [groupId, setGroupId] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const { addresses, unreadable } = parseAddresses(pasted)
  const groupName = useRecordName(GROUPS, groupId)
  const send = useMutation({
    mutationFn: () => createBatch(subject, { kind: 'links', emails: addresses, ...(groupId ? { groupId } : {}) }),
    onSuccess: async ({ data }) => {
      if (!data.more) {
        setPasted('')
        setGroupId(null)
      }
      await queryClient.invalidateQueries({ queryKey: invitationBatchesQuery(subject).queryKey })
    },
    onSettled: () => setAsking(false),
  })
  const result = send.data?.data
  if (!mayInvite || !subject.isOpen) {
    return (
      <div className="admin-form">
        <h3>{t('links.title')}</h3>
        <p className="meta">
          {t(!mayInvite ? 'links.not-yours' : subject.type === 'surveys' ? 'links.not-open' : 'links.not-open-activity')}
        </p>
      </div>
    )
  }
  return (
    <form
      noValidate
      className="admin-form"
      aria-labelledby="send-links"
      onSubmit={(event) => {
        event.preventDefault()
        setAsking(true)
      }}
    >
      <h3 id="send-links">{t('links.title')}</h3>
      <TextAreaInput
        name="emails"
        label={t('links.emails')}
        hint={t('links.emails-hint')}
        value={pasted}
        onChange={setPasted}
        rows={5}
        error={
          unreadable.length > 0
            ? t('links.unreadable', { count: unreadable.length, lines: unreadable.slice(0, MAX_LINES_SHOWN).join(', ') })
            : undefined
        }
      />
      {hasGroups && (
        <RecordChoice
          name="invite-group"
          label={t('links.group')}
          source={GROUPS}
          value={groupId}
          none={t('links.no-group')}
          onChange={setGroupId}
        />
      )}
      <div>
        <Button type="submit" disabled={addresses.length === 0 && !groupId}>
          {t('links.send')}
        </Button>
      </div>
      {send.isError && <Notice kind="error" title={describeError(send.error)} />}
      {result && (
        <Notice kind="success" title={t('links.sent', { count: result.total })}>
          {result.skipped ? t('links.skipped', { count: result.skipped }) : ''} {result.more ? t('links.more') : ''}
        </Notice>
      )}
      <ConfirmDialog
        title={t('links.title')}
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => void (await send.mutateAsync().catch(() => undefined))}
        confirmLabel={t('links.send')}
        cancelLabel={admin('confirm.cancel')}
      >
        {groupId && <p>{t('links.sure-group', { group: groupName })}</p>}
        {addresses.length > 0 && <p>{t('links.sure', { count: addresses.length })}</p>}
      </ConfirmDialog>
    </form>
  )
}
