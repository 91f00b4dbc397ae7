import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { VERIFICATION_LEVELS, type VerificationLevel } from '#app/lib/vocabulary/verifications.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetVerifications, personVerificationsQuery } from '../verifications.queries.ts'

/** What a person holds; an administrator who has met them confirms them. */
export function PersonVerifications({ id }: { id: string }) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const format = useFormat()
  const queryClient = useQueryClient()
  const held = useSuspenseQuery(personVerificationsQuery(id)).data
  const [isConfirming, setConfirming] = useState(false)
  const end = useMutation({
    mutationFn: (verification: string) => api.remove('verifications', verification),
    onSuccess: () => forgetVerifications(queryClient),
  })
  return (
    <section className="admin-panel">
      <h2>{t('person.title')}</h2>
      {held.data.length === 0 && <p>{t('person.none')}</p>}
      <ul className="admin-list">
        {held.data.map((one) => (
          <li key={one.id}>
            <span>
              {one.method === 'list'
                ? t('person.list', { name: findLinked(held, one.relationships.list)?.name ?? '' })
                : t('person.in-person')}
              {' · '}
              {words(`levels.${one.level}`)} · {words('own.until', { date: format.shortDate(one.validUntil) })}
            </span>
            <Button kind="plain" size="small" onClick={() => end.mutate(one.id)}>
              {t('person.end')}
            </Button>
            {end.variables === one.id && <Refusal error={end.error} />}
          </li>
        ))}
      </ul>
      <div>
        <Button kind="secondary" size="small" onClick={() => setConfirming(true)}>
          {t('person.confirm')}
        </Button>
      </div>
      {isConfirming && <ConfirmPerson id={id} onClose={() => setConfirming(false)} />}
    </section>
  )
}

const YEAR_MS = 365 * 86_400_000

function ConfirmPerson({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const { t: admin } = useTranslation('admin')
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [level, setLevel] = useState<VerificationLevel>('resident')
  const [validUntil, setValidUntil] = useState<string | undefined>(() =>
    new Date(Math.ceil((Date.now() + YEAR_MS) / 3_600_000) * 3_600_000).toISOString(),
  )
  const confirm = useMutation({
    mutationFn: () =>
      api.create('verifications', {
        attributes: { level, ...(validUntil !== undefined && { validUntil }) },
        relationships: { user: { type: 'users', id } },
      }),
    onSuccess: async () => {
      onClose()
      await forgetVerifications(queryClient)
    },
  })
  const editor = useEditorTexts(confirm.error)
  return (
    <Dialog
      title={t('person.confirm')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <Button pending={confirm.isPending} onClick={() => confirm.mutate()}>
          {t('person.confirm')}
        </Button>
      }
    >
      <div className="admin-form">
        {editor.faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        <p>{t('person.confirm-text')}</p>
        <SelectInput
          name="level"
          label={t('level')}
          value={level}
          onChange={setLevel}
          options={VERIFICATION_LEVELS.map((value) => ({ value, label: words(`levels.${value}`) }))}
        />
        <DateTimeField
          name="validUntil"
          label={t('person.until')}
          value={validUntil}
          onChange={setValidUntil}
          error={editor.messageOf('validUntil')}
          {...moment}
        />
      </div>
    </Dialog>
  )
}
