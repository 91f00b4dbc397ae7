import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { MASKED_FIELDS, type MaskedField } from '#app/lib/vocabulary/moderation.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, moderationRulesQuery } from '../contributions.queries.ts'
import { type FieldTexts, maskTexts, type Passage } from '../moderation/masking/mask-texts.ts'
import { PlainText } from '../reading/contribution-parts.tsx'

/** A contribution, or a reply, which has neither title nor place. */
export interface MaskableText extends FieldTexts {
  id: string
  version: number
  language: Language
}

interface MaskPassagesProps {
  type: 'contributions' | 'replies'
  text: MaskableText
  onClose: () => void
}

/** A text area counts a line break as one character, however it is stored. */
function toOffset(text: string, shown: number): number {
  let at = 0
  for (let left = shown; left > 0; left--) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}

/** A `readOnly` text has no caret in some browsers, so that nothing could be selected with the keyboard. */
function refuseInput(element: HTMLTextAreaElement | null) {
  const refuse = (event: InputEvent) => event.preventDefault()
  element?.addEventListener('beforeinput', refuse)
  return () => element?.removeEventListener('beforeinput', refuse)
}
/** React asks for one: what a browser inserts all the same is put back. */
const ignoreChange = () => undefined

/** Lets a moderator select the passages of a text that nobody shall read, and publishes it without them. */
export function MaskPassages({ type, text, onClose }: MaskPassagesProps) {
  const { id, version, language } = text
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [passages, setPassages] = useState<Passage[]>([])
  /** The selection of this field is what is removed. */
  const lastField = useRef<MaskedField>('body')
  const [isMissing, setMissing] = useState(false)
  const [rule, setRule] = useState('')
  const [reason, setReason] = useState('')
  const rules = useQuery(moderationRulesQuery).data?.data.filter(({ archived }) => !archived) ?? []
  const save = useMutation({
    mutationFn: () =>
      api.create('moderation-decisions', {
        attributes: { decision: 'mask', textVersion: version, passages, rule, reason },
        relationships: type === 'replies' ? { reply: { type, id } } : { contribution: { type, id } },
      }),
    onSuccess: async () => {
      onClose()
      showToast({ text: words('queue.decided') })
      await forgetContributions(queryClient)
    },
  })
  const { faults } = useEditorTexts(save.error)
  const fields = MASKED_FIELDS.filter((field) => text[field])
  const texts: FieldTexts = Object.fromEntries(fields.map((field) => [field, text[field]]))
  const preview = passages.length > 0 ? maskTexts(texts, passages, '[…]').texts : undefined
  const add = () => {
    const field = lastField.current
    const area = document.querySelector<HTMLTextAreaElement>(`#mask-${field}`)
    const whole = texts[field] ?? ''
    const [start, end] = [toOffset(whole, area?.selectionStart ?? 0), toOffset(whole, area?.selectionEnd ?? 0)]
    const isEmpty = !whole.slice(start, end).trim()
    setMissing(isEmpty)
    if (isEmpty) area?.focus()
    else setPassages([...passages, { field, start, end }])
  }
  return (
    <Dialog
      title={t('mask.title')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      size="large"
      actions={
        <Button pending={save.isPending} disabled={passages.length === 0 || !rule || !reason.trim()} onClick={() => save.mutate()}>
          {t('mask.save')}
        </Button>
      }
    >
      <div className="admin-form">
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        <p>{t('mask.about')}</p>
        {fields.map((field) => (
          <div key={field} className="field">
            <label htmlFor={`mask-${field}`}>{t(`mask.fields.${field}`)}</label>
            <textarea
              id={`mask-${field}`}
              className="input"
              ref={refuseInput}
              aria-readonly
              inputMode="none"
              onChange={ignoreChange}
              rows={field === 'body' ? 8 : 2}
              lang={language}
              value={texts[field]}
              onFocus={() => {
                lastField.current = field
              }}
            />
          </div>
        ))}
        {isMissing && <Notice kind="error" title={t('mask.select-first')} />}
        <div className="row">
          <Button kind="secondary" onClick={add}>
            {t('mask.add')}
          </Button>
        </div>
        {preview && (
          <>
            <h3>{t('mask.passages')}</h3>
            <ul className="admin-list">
              {passages.map((passage) => {
                const removed = texts[passage.field]?.slice(passage.start, passage.end)
                return (
                  <li key={`${passage.field}-${passage.start}-${passage.end}`} className="admin-panel">
                    <span lang={language}>{removed}</span>
                    <Button kind="plain" size="small" onClick={() => setPassages(passages.filter((other) => other !== passage))}>
                      {t('mask.keep')}
                      <span className="visually-hidden" lang={language}>
                        : {removed}
                      </span>
                    </Button>
                  </li>
                )
              })}
            </ul>
            <h3>{t('mask.preview')}</h3>
            {fields.map((field) => (
              <PlainText key={field} text={preview[field] ?? ''} lang={language} />
            ))}
          </>
        )}
        <SelectInput
          name="mask-rule"
          label={t('decide.rule')}
          value={rule}
          onChange={setRule}
          options={[{ value: '', label: t('decide.choose') }, ...rules.map(({ code, label }) => ({ value: code, label }))]}
        />
        <TextAreaInput
          name="mask-reason"
          label={words('queue.reason')}
          hint={words('queue.reason-hint')}
          value={reason}
          onChange={setReason}
          required
        />
      </div>
    </Dialog>
  )
}
