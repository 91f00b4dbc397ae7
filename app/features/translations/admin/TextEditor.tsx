import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { useTextNames } from '#app/shell/admin/use-text-names.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { RichTextInput } from '#app/ui/admin/rich-text-input.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { askForTranslation, keepTranslation, sendTranslation } from '../translations.functions.ts'
import { forgetTexts } from '../translations.queries.ts'
import type { DeskSearch, DeskText } from '../translations.schema.ts'
import { PublishText } from './PublishText.tsx'
import { TextStateBadge } from './TextStateBadge.tsx'

interface TextEditorProps {
  text: DeskText
  /** The service that can translate it. */
  translator: string | null
  /** It is in a draft that the viewer may publish. */
  canPublish: boolean
  /** Id of the text after it in the list. */
  next: string | undefined
  search: DeskSearch
}

/** One text beside its source, written through the editor of its kind. */
export function TextEditor({ text, translator, canPublish, next, search }: TextEditorProps) {
  const { t } = useTranslation('translations')
  const format = useFormat()
  const nameText = useTextNames()
  const queryClient = useQueryClient()
  const [written, setWritten] = useState(text.translation)
  const known = { id: text.id, language: text.to, source: text.source, was: text.translation }
  const onSuccess = async () => {
    showToast({ text: t('saved') })
    await forgetTexts(queryClient)
  }
  const save = useMutation({ mutationFn: () => sendTranslation({ data: { ...known, translation: written } }), onSuccess })
  const keep = useMutation({ mutationFn: () => keepTranslation({ data: known }), onSuccess })
  const [suggested, setSuggested] = useState('')
  const ask = useMutation({
    mutationFn: () => askForTranslation({ data: { id: text.id, language: text.to, source: text.source } }),
    onSuccess: (translation) => {
      setSuggested(translation)
      setWritten(translation)
    },
  })
  const field = {
    name: 'translation',
    label: getLanguageName(text.to),
    language: text.to,
    value: written,
    onChange: setWritten,
  }
  const isDraftFirst = text.isPublic && (text.kind === 'projects' || text.kind === 'homepage' || text.pointer.startsWith('/definition'))
  return (
    <article className="admin-panel text-editor" aria-labelledby="open-text">
      <header>
        <h2 id="open-text">
          {text.title}
          {format.colon}
          {nameText(text.pointer)}
        </h2>
        <Badge tone={text.isPublic ? 'ok' : 'neutral'} hollow={!text.isPublic}>
          {t(`audiences.${text.isPublic ? 'public' : 'draft'}`)}
        </Badge>
        <TextStateBadge state={text.state} />
        <p>
          {t(`kinds.${text.kind}`)}
          {text.project && text.project.title !== text.title && ` · ${text.project.title}`} ·{' '}
          <a href={toLocalHref(text.editor)}>{t('editor')}</a>
        </p>
        {text.changedAt && <p>{t('changed', { language: getLanguageName(text.from), when: format.dateTime(text.changedAt) })}</p>}
      </header>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <div className="text-pair">
          <section aria-label={t('source', { language: getLanguageName(text.from) })}>
            <h3>{t('source', { language: getLanguageName(text.from) })}</h3>
            <div className="text-source" lang={text.from} dir={getDirection(text.from)}>
              {text.format === 'rich' ? <RichText text={text.source} /> : <p>{text.source}</p>}
            </div>
            {text.formerSource !== undefined && (
              <details>
                <summary>{t('former')}</summary>
                <div className="text-source" lang={text.from} dir={getDirection(text.from)}>
                  {text.format === 'rich' ? <RichText text={text.formerSource} /> : <p>{text.formerSource}</p>}
                </div>
              </details>
            )}
          </section>
          {text.format === 'rich' ? (
            <RichTextInput key={suggested} {...field} rows={8} />
          ) : text.format === 'text' ? (
            <TextAreaInput {...field} rows={4} />
          ) : (
            <TextInput {...field} {...(text.max ? { maxLength: text.max } : {})} />
          )}
        </div>
        {isDraftFirst && <p className="meta">{t('draft-first')}</p>}
        {text.service && <p className="meta">{t('machine.wrote', { service: text.service })}</p>}
        <output>{suggested !== '' && written === suggested && written !== text.translation && t('machine.check')}</output>
        <Refusal error={save.error ?? keep.error ?? ask.error} />
        <div className="row">
          <Button type="submit" pending={save.isPending} disabled={written === text.translation || !written.trim()}>
            {t('save')}
          </Button>
          {translator && (
            <Button kind="secondary" pending={ask.isPending} disabled={written !== text.translation} onClick={() => ask.mutate()}>
              {t('machine.ask', { service: translator })}
            </Button>
          )}
          {(text.state === 'stale' || text.state === 'machine') && (
            <Button kind="secondary" pending={keep.isPending} onClick={() => keep.mutate()}>
              {t(text.state === 'machine' ? 'machine.confirm' : 'still-right')}
            </Button>
          )}
          {next && (
            <Link
              to="/admin/languages"
              search={{ ...search, text: next }}
              resetScroll={false}
              className={getButtonClass({ kind: 'plain' })}
            >
              {t('next')}
            </Link>
          )}
        </div>
      </form>
      {canPublish && <PublishText id={text.id} title={text.title} isBlocked={written !== text.translation} />}
    </article>
  )
}
