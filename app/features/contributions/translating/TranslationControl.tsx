import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { addShown, buildAskedValue, buildTranslationAnchor, removeShown, type TranslatableView } from '../record/translations.schema.ts'

export interface TranslationControlProps {
  text: TranslatableView
  /** Which text it is, for people who do not see where the button stands. */
  about: string
  form: FormState | null
  /** Where the form is sent without JavaScript; the page itself if absent. */
  action?: string
}

/**
 * Has a text translated, or says who translated it and leads back to the original. Without JavaScript the page comes back at this place; with
 * it, focus comes here once the text has changed.
 */
export default function TranslationControl({ text, about, form, action }: TranslationControlProps) {
  const { t } = useTranslation('contributions')
  const { translated } = useSearch({ strict: false })
  const format = useFormat()
  const place = useRef<HTMLDivElement>(null)
  /** Whether the translation is shown once what was pressed is done. */
  const expected = useRef<boolean>(undefined)
  const { id, shown } = text
  const isShown = shown !== null
  const expect = (translation: boolean) => {
    expected.current = translation
  }
  useEffect(() => {
    if (expected.current !== isShown) return
    expected.current = undefined
    place.current?.focus()
  }, [isShown])
  return (
    <div className="translation" id={buildTranslationAnchor(id)} ref={place} tabIndex={-1}>
      {shown ? (
        <p className="meta">
          {shown.correctedBy === null
            ? t('translation.machine', { service: shown.service })
            : t('translation.corrected', { team: shown.correctedBy })}{' '}
          <Link
            to="."
            search={(search) => ({ ...search, translated: removeShown(translated, id) })}
            resetScroll={false}
            onClick={() => expect(false)}
          >
            {t('translation.original')}
            <span className="visually-hidden">
              {format.colon}
              {about}
            </span>
          </Link>
        </p>
      ) : (
        <AskForm text={text} about={about} form={form} {...(action && { action })} translated={translated} onTurn={() => expect(true)} />
      )}
    </div>
  )
}

interface AskFormProps extends TranslationControlProps {
  translated: string | undefined
  onTurn: () => void
}

function AskForm({ text, about, form, action: other, translated, onTurn }: AskFormProps) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('errors')
  const format = useFormat()
  const own = useFormAction()
  const action = other ?? own
  const navigate = useNavigate()
  const value = buildAskedValue(text)
  const [isWaiting, setWaiting] = useState(false)
  const [refusal, setRefusal] = useState(form?.values['translate'] === value ? form.faults[0]?.code : undefined)
  const askInPlace = async () => {
    setWaiting(true)
    setRefusal(undefined)
    try {
      const { askTranslation } = await import('./translations.functions.ts')
      const code = await askTranslation({ data: { type: text.type, id: text.id } })
      if (code !== null) return setRefusal(code)
      onTurn()
      await navigate({ to: '.', search: (search) => ({ ...search, translated: addShown(translated, text.id) }), resetScroll: false })
    } catch {
      setRefusal('translation-unavailable')
    } finally {
      setWaiting(false)
    }
  }
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isWaiting) void askInPlace()
  }
  const message =
    refusal === 'too-many-requests' ? t('translation.limit') : refusal && general(...toFaultTitle({ code: refusal as ErrorCode }))
  return (
    <form method="post" action={action} onSubmit={send}>
      <ErrorSummary title={t('problem')} errors={message ? [{ message }] : []} />
      <input type="hidden" name="translate" value={value} />
      <Button type="submit" kind="secondary" size="small" pending={isWaiting}>
        {t('translation.ask')}
        <span className="visually-hidden">
          {format.colon}
          {about}
        </span>
      </Button>
      <output className="visually-hidden">{isWaiting && t('translation.working')}</output>
    </form>
  )
}
