import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EVENT_ACCESS } from '#app/lib/vocabulary/events.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetEvents } from '../events.queries.ts'
import type { SignUpQuestion } from '../sign-up-questions.schema.ts'

export type EventDocument = Resource<'events'>

export interface QuestionFieldsProps {
  questions: readonly SignUpQuestion[]
  onChange: (questions: SignUpQuestion[]) => void
  words: ReturnType<typeof useEditorTexts>
}

interface EditEventProps {
  event: EventDocument
  onClose: () => void
  renderQuestions: (fields: QuestionFieldsProps) => ReactNode
}

/** Everything that can be changed about an event. People who signed up are told of what concerns them. */
export function EditEvent({ event, onClose, renderQuestions }: EditEventProps) {
  const { t } = useTranslation('events-admin')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState(() => ({
    titleTranslations: event.titleTranslations ?? {},
    descriptionTranslations: event.descriptionTranslations ?? {},
    placeTranslations: event.placeTranslations ?? {},
    accessInfoTranslations: event.accessInfoTranslations ?? {},
  }))
  const [settings, setSettings] = useState(() => ({
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    joinLink: event.joinLink ?? '',
    capacity: event.capacity,
    hasWaitingList: event.hasWaitingList,
    access: event.access,
    questions: event.questions,
  }))
  const change = (more: Partial<typeof settings>) => setSettings((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: (waived?: string[]) =>
      api.update(
        'events',
        event.id,
        { attributes: { ...texts, ...settings, ...(waived ? { waived } : {}) } },
        { lockVersion: event.meta.lockVersion },
      ),
    onSuccess: async () => {
      onClose()
      await forgetEvents(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <>
      <EditDialog
        title={t('settings.edit')}
        saveLabel={t('save')}
        save={{ isPending: save.isPending, mutate: () => save.mutate(undefined) }}
        faults={words.faults}
        onClose={onClose}
      >
        {event.phase === 'upcoming' && event.going + event.waiting > 0 && (
          <Notice title={t('settings.told')}>{t('settings.told-text')}</Notice>
        )}
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: t('settings.name') },
            { name: 'descriptionTranslations', label: t('settings.description'), rows: 4 },
            { name: 'placeTranslations', label: t('settings.place') },
            { name: 'accessInfoTranslations', label: t('settings.access-info'), rows: 3 },
          ]}
          values={texts}
          onChange={(name, text) => setTexts((before) => ({ ...before, [name]: text }))}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <DateTimeField
          name="startsAt"
          label={t('settings.starts')}
          value={settings.startsAt ?? undefined}
          onChange={(at) => change({ startsAt: at ?? null })}
          error={words.messageOf('startsAt')}
          {...moment}
        />
        <DateTimeField
          name="endsAt"
          label={t('settings.ends')}
          value={settings.endsAt ?? undefined}
          onChange={(at) => change({ endsAt: at ?? null })}
          error={words.messageOf('endsAt')}
          {...moment}
        />
        <TextInput
          name="joinLink"
          type="url"
          label={t('settings.join-link')}
          hint={t('settings.join-link-hint')}
          value={settings.joinLink}
          onChange={(joinLink) => change({ joinLink })}
          error={words.messageOf('joinLink')}
        />
        <NumberInput
          name="capacity"
          label={t('settings.capacity')}
          hint={t('settings.capacity-hint')}
          value={settings.capacity ?? undefined}
          onChange={(capacity) => change({ capacity: capacity ?? null })}
          min={1}
          max={100_000}
          digits={10}
          error={words.messageOf('capacity')}
        />
        <CheckInput
          name="hasWaitingList"
          label={t('settings.waiting-list')}
          hint={t('settings.waiting-list-hint')}
          value={settings.hasWaitingList}
          onChange={(hasWaitingList) => change({ hasWaitingList })}
        />
        <SelectInput
          name="access"
          label={t('settings.access')}
          value={settings.access}
          onChange={(access) => change({ access })}
          options={EVENT_ACCESS.map((value) => ({ value, label: t(`access.${value}`) }))}
        />
        {renderQuestions({ questions: settings.questions, onChange: (questions) => change({ questions }), words })}
      </EditDialog>
      <LanguageGapsDialog
        error={save.error}
        onPublish={(waived) => save.mutateAsync(waived)}
        onClose={save.reset}
        publishLabel={t('save')}
      />
    </>
  )
}
