import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { VERIFICATION_LEVELS, type VerificationLevel } from '#app/lib/vocabulary/verifications.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetVerifications, personVerificationsQuery } from '../verifications.queries.ts'
import { METHOD_TEXTS } from '../verifications.schema.ts'
import { findHourInAYear } from './in-a-year.ts'

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
              {t(`person.${METHOD_TEXTS[one.method]}`, { name: findLinked(held, one.relationships.list)?.name ?? '' })}
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

function ConfirmPerson({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [level, setLevel] = useState<VerificationLevel>('resident')
  const [validUntil, setValidUntil] = useState<string | undefined>(findHourInAYear)
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
    <EditDialog
      title={t('person.confirm')}
      saveLabel={t('person.confirm')}
      save={confirm}
      faults={editor.faults}
      onClose={onClose}
      size="medium"
    >
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
    </EditDialog>
  )
}
