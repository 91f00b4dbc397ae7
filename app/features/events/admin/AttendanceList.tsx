import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetEvents, signUpsQuery } from '../events.queries.ts'
import type { EventDocument } from './EditEvent.tsx'

type SignUp = Resource<'event-sign-ups'>

/** Who has signed up, and who came: by ticking, or by the code of a receipt. */
export function AttendanceList({ event }: { event: EventDocument }) {
  const { t } = useTranslation('events-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [page, setPage] = useState(1)
  const found = useQuery(signUpsQuery(event.id, page))
  const [removing, setRemoving] = useState<SignUp>()
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('event-sign-ups', id),
    onSettled: async () => {
      setRemoving(undefined)
      await forgetEvents(queryClient)
    },
  })
  const words = useEditorTexts(remove.error)
  const total = event.going + event.waiting
  return (
    <section className="admin-stack" aria-labelledby="sign-ups-heading">
      <h2 id="sign-ups-heading">{t('sign-ups.title')}</h2>
      <p>
        {event.capacity === null
          ? t('sign-ups.going', { count: event.going, number: format.number(event.going) })
          : t('sign-ups.going-of', {
              count: event.going,
              number: format.number(event.going),
              capacity: format.number(event.capacity),
            })}{' '}
        {event.waiting > 0 && t('sign-ups.waiting', { count: event.waiting, number: format.number(event.waiting) })}
      </p>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {found.isError ? (
        <Notice kind="error" title={t('load-failed')} />
      ) : !found.data ? (
        <Skeleton label={common('loading')} lines={3} />
      ) : total === 0 ? (
        <EmptyState title={t('sign-ups.none')}>{t('sign-ups.none-text')}</EmptyState>
      ) : (
        <>
          <AttendByCode event={event.id} />
          <ul className="attendance">
            {found.data.data.map((signUp) => (
              <Person key={signUp.id} signUp={signUp} onRemove={() => setRemoving(signUp)} />
            ))}
          </ul>
          <PageButtons page={page} size={100} total={total} onPage={setPage} />
        </>
      )}
      {removing && (
        <ConfirmDialog
          title={t('sign-ups.remove-title', { name: removing.name })}
          isOpen
          danger
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove.mutateAsync(removing.id).then(undefined, () => undefined)}
          confirmLabel={t('sign-ups.remove')}
          cancelLabel={t('cancel')}
        >
          <p>{t('sign-ups.remove-text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Person({ signUp, onRemove }: { signUp: SignUp; onRemove: () => void }) {
  const { t } = useTranslation('events-admin')
  const queryClient = useQueryClient()
  const tick = useMutation({
    mutationFn: (attended: boolean) => api.update('event-sign-ups', signUp.id, { attributes: { attended } }),
    onSettled: () => forgetEvents(queryClient),
  })
  const words = useEditorTexts(tick.error)
  const name = signUp.name || t('sign-ups.no-name')
  const isTicked = tick.isPending ? tick.variables : signUp.attended
  return (
    <li>
      {signUp.state === 'going' ? (
        <label className="attendance-tick">
          <input
            type="checkbox"
            checked={isTicked}
            onChange={(event) => tick.mutate(event.currentTarget.checked)}
            aria-label={t('sign-ups.came', { name })}
          />
          <span>{name}</span>
        </label>
      ) : (
        <span className="attendance-tick">
          {name} <Badge hollow>{t('sign-ups.is-waiting')}</Badge>
        </span>
      )}
      <span className="meta">{signUp.email}</span>
      {signUp.answers.map(({ question, answer }) => (
        <span key={question} className="meta">
          {/[?!.:]$/.test(question) ? `${question} ${answer}` : t('sign-ups.answer', { question, answer })}
        </span>
      ))}
      <span className="no-print">
        <Button kind="plain" size="small" onClick={onRemove}>
          {t('sign-ups.remove')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </span>
      {words.faults.map(({ message }) => (
        <p key={message} className="field-error" role="alert">
          {message}
        </p>
      ))}
    </li>
  )
}

function AttendByCode({ event }: { event: string }) {
  const { t } = useTranslation('events-admin')
  const queryClient = useQueryClient()
  const [code, setCode] = useState('')
  const record = useMutation({
    mutationFn: () => api.create('event-attendances', { attributes: { code }, relationships: { event: { type: 'events', id: event } } }),
    onSuccess: async () => {
      setCode('')
      await forgetEvents(queryClient)
    },
  })
  const words = useEditorTexts(record.error)
  const send = (submit: FormEvent) => {
    submit.preventDefault()
    record.mutate()
  }
  const done = record.data?.data
  return (
    <form className="admin-form no-print" onSubmit={send}>
      <TextInput
        name="code"
        label={t('by-code.label')}
        hint={t('by-code.hint')}
        value={code}
        onChange={setCode}
        error={words.messageOf('code') ?? words.faults[0]?.message}
      />
      <div className="row">
        <Button type="submit" kind="secondary" pending={record.isPending}>
          {t('by-code.send')}
        </Button>
        <output>{done && t(done.isAgain ? 'by-code.again' : 'by-code.done', { name: done.name })}</output>
      </div>
    </form>
  )
}
