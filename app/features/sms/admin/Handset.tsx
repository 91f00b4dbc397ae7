import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { forgetMessages, threadQuery } from '../sms.queries.ts'

/** The sandbox as a phone: shows what a number was sent, and sends texts back as that number. */
export function Handset({ number }: { number: string }) {
  const { t } = useTranslation('sms')
  const { t: errors } = useTranslation('marketplace')
  const navigate = useNavigate()
  const [typed, setTyped] = useState(number)
  return (
    <div className="admin-stack">
      <PageHeader title={t('handset.title')} meta={t('handset.text')} actions={<Link to="/admin/marketplace">{errors('all')}</Link>} />
      <form
        className="admin-panel sms-test"
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ to: '/admin/marketplace/sms-sandbox/phone', search: { number: typed.trim() } })
        }}
      >
        <TextInput
          name="number"
          type="tel"
          label={t('handset.number')}
          hint={t('handset.number-hint')}
          value={typed}
          onChange={setTyped}
          maxLength={40}
          required
        />
        <Button type="submit" kind="secondary" disabled={!typed.trim()}>
          {t('handset.show')}
        </Button>
      </form>
      {number && <Thread key={number} number={number} />}
    </div>
  )
}

/** The texts of one number, oldest first, with a reply field. */
function Thread({ number }: { number: string }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [body, setBody] = useState('')
  const texts = useQuery(threadQuery(number)).data?.data.toReversed() ?? []
  const end = useRef<HTMLFormElement>(null)
  const newest = texts.at(-1)?.id
  useEffect(() => {
    if (newest) end.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  const send = useMutation({
    mutationFn: (text: string) => api.create('sandbox-texts', { attributes: { phone: number, body: text } }),
    // Clear the field at once, so that text typed while the last message is being sent is not lost when it arrives.
    onMutate: () => setBody(''),
    onError: (_, text) => setBody((typed) => typed || text),
    onSettled: () => forgetMessages(queryClient),
  })
  const words = useEditorTexts(send.error)
  return (
    <section className="admin-panel handset" aria-label={t('handset.thread', { phone: number })}>
      {texts.length === 0 ? (
        <EmptyState level={2} title={t('handset.none')}>
          {t('handset.none-text')}
        </EmptyState>
      ) : (
        <div role="log" aria-live="polite">
          <ol className="handset-thread">
            {texts.map((text) => (
              <li key={text.id} className={text.direction === 'in' ? 'handset-mine' : undefined}>
                <span className="visually-hidden">{t(text.direction === 'in' ? 'handset.phone' : 'handset.site')}</span>
                <p lang={text.language} dir={getDirection(text.language)} className="sms-body">
                  {text.body}
                </p>
                <span className="meta">{format.time(text.createdAt)}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      <form
        ref={end}
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (body.trim()) send.mutate(body)
        }}
      >
        <FaultSummary title={admin('editor.problem')} errors={words.faults} />
        <TextAreaInput name="body" label={t('handset.write')} value={body} onChange={setBody} rows={2} required />
        <div>
          <Button type="submit" pending={send.isPending} disabled={!body.trim()}>
            {t('handset.send')}
          </Button>
        </div>
      </form>
    </section>
  )
}
