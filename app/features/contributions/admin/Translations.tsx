import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { isPhotoPart } from '../record/translations.schema.ts'
import { forgetContributions, translationsQuery } from '../contributions.queries.ts'
import { PlainText } from '../parts/contribution-parts.tsx'

type Translation = Resource<'contribution-translations'>

/** Translations of a contribution, its replies and its answers that readers asked for, to correct them. Needs `translationsQuery`. */
export function Translations({ contribution }: { contribution: string }) {
  const { t } = useTranslation('contributions-admin')
  const { data } = useSuspenseQuery(translationsQuery(contribution)).data
  if (data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="translations">
      <h2 id="translations">{t('translations.title')}</h2>
      <p>{t('translations.about')}</p>
      <ul className="admin-list">
        {data.map((translation) => (
          <li key={translation.id} className="admin-panel">
            <KnownTranslation translation={translation} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function KnownTranslation({ translation }: { translation: Translation }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const [isEditing, setEditing] = useState(false)
  const { sourceType, sourceLanguage, language, source, texts, service, correctedAt, team } = translation
  const between = t('translations.from-to', { from: getLanguageName(sourceLanguage), to: getLanguageName(language) })
  return (
    <div className="admin-stack">
      <div>
        <h3>
          {t(`translations.kinds.${sourceType}`)}
          {format.colon}
          {between}
        </h3>
        <p className="meta">
          {correctedAt
            ? [t('translations.corrected', { date: format.dateTime(correctedAt) }), team].filter(Boolean).join(' · ')
            : t('translations.machine', { service })}
        </p>
        {!isEditing && Object.entries(texts).map(([part, text]) => <PlainText key={part} text={text} lang={language} />)}
        <details open={isEditing || undefined}>
          <summary>{t('translations.original')}</summary>
          {Object.entries(source).map(([part, text]) => (
            <PlainText key={part} text={text} lang={sourceLanguage} />
          ))}
        </details>
      </div>
      {isEditing ? (
        <CorrectTranslation translation={translation} onDone={() => setEditing(false)} />
      ) : (
        translation.meta.can.update && (
          <div className="row">
            <Button kind="secondary" size="small" onClick={() => setEditing(true)}>
              {t('translations.edit')}
              <span className="visually-hidden">: {between}</span>
            </Button>
          </div>
        )
      )}
    </div>
  )
}

function CorrectTranslation({ translation, onDone }: { translation: Translation; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  // The version the correction began from: the server refuses the save if the translation has changed since.
  const [{ id, language, meta }] = useState(translation)
  const [texts, setTexts] = useState(translation.texts)
  const [team, setTeam] = useState(translation.team)
  const save = useMutation({
    mutationFn: () => api.update('contribution-translations', id, { attributes: { texts, team } }, { lockVersion: meta.lockVersion }),
    onSuccess: async () => {
      showToast({ text: t('translations.saved') })
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  const labelPart = (part: string) =>
    part === 'title'
      ? t('translations.part-title')
      : part === 'body'
        ? t('translations.part-body')
        : t(isPhotoPart(part) ? 'translations.part-photo' : 'translations.part-field')
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {Object.entries(texts).map(([part, text]) => (
        <TextAreaInput
          key={part}
          name={`${id}-${part}`}
          label={labelPart(part)}
          language={language}
          rows={part === 'title' ? 2 : 6}
          value={text}
          onChange={(changed) => setTexts((before) => ({ ...before, [part]: changed }))}
          error={words.messageOf(part)}
        />
      ))}
      <TextInput
        name={`${id}-team`}
        label={t('translations.team')}
        hint={t('translations.team-hint')}
        language={language}
        maxLength={120}
        value={team}
        onChange={setTeam}
        error={words.messageOf('team')}
      />
      <div className="row">
        <Button pending={save.isPending} onClick={() => save.mutate()}>
          {t('translations.save')}
        </Button>
        <Button kind="secondary" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}
