import { type Mutation, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { PasswordField } from '#app/ui/password-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { askForPasskey, describePasskeyFault } from '../second-step/use-passkey.ts'
import { confirmationQuery } from './fresh-sign-in.queries.ts'

/** Asks who is there when the server wants a fresh sign-in, and then repeats what was refused: nothing typed is lost. */
export function FreshSignInDialog() {
  const queryClient = useQueryClient()
  const [refused, setRefused] = useState<Mutation | null>(null)
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        if (isAppError(event.action.error, 'fresh-sign-in-required')) setRefused(event.mutation)
      }),
    [queryClient],
  )
  if (!refused) return null
  return (
    <ConfirmDialog
      onClose={() => setRefused(null)}
      onConfirmed={() => {
        setRefused(null)
        // What refuses it now is shown where it was sent from.
        refused.execute(refused.state.variables).catch(() => undefined)
      }}
    />
  )
}

function ConfirmDialog({ onClose, onConfirmed }: { onClose: () => void; onConfirmed: () => void }) {
  const { t } = useTranslation('admin')
  const formId = useId()
  const { data } = useQuery(confirmationQuery)
  const confirm = useMutation({
    mutationFn: (attributes: { code?: string; password?: string; passkey?: string }) => api.create('session-confirmations', { attributes }),
    onSuccess: onConfirmed,
  })
  const { faults } = useEditorTexts(confirm.error)
  const passkey = useMutation({ mutationFn: () => askForPasskey(), onSuccess: (answer) => confirm.mutate({ passkey: answer }) })
  if (!data) return null
  const { by, methods } = data
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get(by)
    confirm.mutate({ [by]: typeof typed === 'string' ? typed : '' })
  }
  const isOfPasskey = confirm.variables?.passkey !== undefined
  const message = faults[0]?.message
  const error = isOfPasskey ? undefined : message
  const passkeyError = passkey.error ? t(`fresh-sign-in.passkey-${describePasskeyFault(passkey.error)}`) : isOfPasskey ? message : undefined
  return (
    <Dialog
      title={t('fresh-sign-in.title')}
      isOpen
      size="small"
      onClose={onClose}
      closeLabel={t('confirm.cancel')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('confirm.cancel')}
          </Button>
          <Button type="submit" form={formId}>
            {t('fresh-sign-in.button')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" onSubmit={submit} noValidate>
        <p>{t(`fresh-sign-in.text-${methods.includes('passkey') ? 'passkey' : by}`)}</p>
        {methods.includes('passkey') && (
          <div>
            <Button onClick={() => passkey.mutate()} pending={passkey.isPending || confirm.isPending}>
              {t('fresh-sign-in.passkey')}
            </Button>
            <p className="passkey-fault" role="alert">
              {passkeyError}
            </p>
          </div>
        )}
        {by === 'code' ? (
          <TextField name="code" label={t('fresh-sign-in.code')} autoComplete="one-time-code" maxLength={40} error={error} required />
        ) : (
          <PasswordField
            name="password"
            label={t('fresh-sign-in.password')}
            autoComplete="current-password"
            show={t('fresh-sign-in.show')}
            hide={t('fresh-sign-in.hide')}
            error={error}
            required
          />
        )}
      </form>
    </Dialog>
  )
}
