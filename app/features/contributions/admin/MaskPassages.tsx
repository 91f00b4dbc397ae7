import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { MASKED_FIELDS, type MaskedField } from '#app/lib/vocabulary/moderation.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activityQuery, forgetContributions } from '../contributions.queries.ts'
import { isWrittenQuestion } from '../record/fields.schema.ts'
import { buildAnswerField, type FieldTexts, maskTexts, type Passage } from '../record/mask-texts.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { RuleAndReason } from './RuleInput.tsx'

/** A contribution, or a reply, which has neither title nor place, and no answers and photos. */
export interface MaskableText extends FieldTexts {
  id: string
  version: number
  language: ContentLanguage
  fields?: Readonly<Record<string, unknown>>
  photos?: readonly { id: string; address: string; alt: string }[]
  relationships: { activity?: { id: string } | null; contribution?: unknown }
}

interface MaskPassagesProps {
  type: 'contributions' | 'replies'
  text: MaskableText
  /** From `useFocusOnNext`. */
  findNext: () => () => void
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

interface MaskableField {
  field: MaskedField
  label: string
  text: string
}

/** The texts of which passages can be removed: its own, and the answers in words to extra questions. */
function useMaskableFields(text: MaskableText): MaskableField[] {
  const { t } = useTranslation('moderation-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const activity = text.relationships.activity?.id ?? ''
  const questions = useQuery({ ...activityQuery(activity), enabled: activity !== '' }).data?.data.fields ?? []
  return [
    ...MASKED_FIELDS.flatMap((field) => (text[field] ? [{ field, label: t(`mask.fields.${field}`), text: text[field] }] : [])),
    ...questions.filter(isWrittenQuestion).flatMap(({ id, title }) => {
      const answer = text.fields?.[id]
      return typeof answer === 'string'
        ? [{ field: buildAnswerField(id), label: getTranslation(title, language, locale), text: answer }]
        : []
    }),
  ]
}

/** Lets a moderator select what nobody shall read or see, and publishes the text without it. */
export function MaskPassages({ type, text, findNext, onClose }: MaskPassagesProps) {
  const { id, version, language, photos: shownPhotos = [] } = text
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [passages, setPassages] = useState<Passage[]>([])
  const [photos, setPhotos] = useState<readonly string[]>([])
  /** The selection of this field is what is removed. */
  const lastField = useRef<MaskedField>('body')
  const [isMissing, setMissing] = useState(false)
  const [rule, setRule] = useState('')
  const [reason, setReason] = useState('')
  const save = useMutation({
    mutationFn: () =>
      api.create('moderation-decisions', {
        attributes: { decision: 'mask', textVersion: version, passages, photos: [...photos], rule, reason },
        relationships: type === 'replies' ? { reply: { type, id } } : { contribution: { type, id } },
      }),
    onSuccess: async () => {
      const focusNext = findNext()
      onClose()
      showToast({ text: words('queue.decided') })
      await forgetContributions(queryClient)
      focusNext()
    },
  })
  const { faults } = useEditorTexts(save.error)
  const fields = useMaskableFields(text)
  const texts: FieldTexts = Object.fromEntries(fields.map((one) => [one.field, one.text]))
  const preview = passages.length > 0 ? maskTexts(texts, passages, '[…]').texts : undefined
  const add = () => {
    const field = lastField.current
    const area = document.getElementById(`mask-${field}`) as HTMLTextAreaElement | null
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
        <Button
          pending={save.isPending}
          disabled={(passages.length === 0 && photos.length === 0) || !rule || !reason.trim()}
          onClick={() => save.mutate()}
        >
          {t('mask.save')}
        </Button>
      }
    >
      <div className="admin-form">
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        <p>{t('mask.about')}</p>
        {fields.map(({ field, label, text: whole }) => (
          <div key={field} className="field">
            <label htmlFor={`mask-${field}`}>{label}</label>
            <textarea
              id={`mask-${field}`}
              className="input"
              ref={refuseInput}
              aria-readonly
              inputMode="none"
              onChange={ignoreChange}
              rows={field === 'body' ? 8 : 2}
              lang={language}
              dir={getDirection(language)}
              value={whole}
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
                const removed = texts[passage.field as MaskedField]?.slice(passage.start, passage.end)
                return (
                  <li key={`${passage.field}-${passage.start}-${passage.end}`} className="admin-panel">
                    <span lang={language} dir={getDirection(language)}>
                      {removed}
                    </span>
                    <Button kind="plain" size="small" onClick={() => setPassages(passages.filter((other) => other !== passage))}>
                      {t('mask.keep')}
                      <span className="visually-hidden" lang={language} dir={getDirection(language)}>
                        : {removed}
                      </span>
                    </Button>
                  </li>
                )
              })}
            </ul>
            <h3>{t('mask.preview')}</h3>
            {fields.map(({ field }) => (
              <PlainText key={field} text={preview[field] ?? ''} lang={language} />
            ))}
          </>
        )}
        {shownPhotos.length > 0 && (
          <fieldset>
            <legend>{t('mask.photos')}</legend>
            <p className="field-hint">{t('mask.photos-hint')}</p>
            {shownPhotos.map((photo, at) => (
              <div key={photo.id} className="row masked-photo">
                <CheckInput
                  name={`mask-photo-${at + 1}`}
                  label={t('mask.photo', { number: at + 1, alt: photo.alt })}
                  value={photos.includes(photo.id)}
                  onChange={(isRemoved) => setPhotos(isRemoved ? [...photos, photo.id] : photos.filter((each) => each !== photo.id))}
                />
                <img src={photo.address} alt="" loading="lazy" />
              </div>
            ))}
          </fieldset>
        )}
        <RuleAndReason prefix="mask-" rule={rule} onRule={setRule} reason={reason} onReason={setReason} />
      </div>
    </Dialog>
  )
}
