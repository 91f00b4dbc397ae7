import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import {
  ACTIVITY_ACCESS,
  type ActivityAccess,
  MODERATION_MODES,
  REACTION_CHOICES,
  type ReactionChoice,
  SHOWN_NAMES,
} from '#app/lib/vocabulary/contributions.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetContributions } from '../contributions.queries.ts'
import { type CommonSettings, getVerificationRule } from '../kinds/define-kind.ts'
import { ACTIVITY_KINDS, type ActivityKind, getDefaultSettings, isActivityKind } from '../kinds/kinds.ts'
import { listPhotoSlots, MAX_PHOTOS } from '../record/photos.schema.ts'
import { type Shape, SHAPES } from '../record/drawing.schema.ts'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { ExtraQuestions } from './ExtraQuestions.tsx'
import type { StageDocument } from './EditStage.tsx'

export type ActivityDocument = Resource<'activities'>

/** Whom an activity for verified people lets in. */
export interface VerificationFieldsProps {
  rule: VerificationRule
  onChange: (rule: VerificationRule) => void
  error: string | undefined
}

interface EditActivityProps {
  project: string
  stages: readonly StageDocument[]
  /** Undefined for a new one. */
  activity: ActivityDocument | undefined
  renderVerification: (fields: VerificationFieldsProps) => ReactNode
  onClose: () => void
}

/** What every kind has, and what some have. */
type Settings = Partial<
  CommonSettings & { border: 'warn' | 'refuse'; geometries: readonly Shape[]; answerDays: number; reactions: ReactionChoice }
>

const NO_STAGE = 'none'
/** A group is chosen with the API only. */
const OFFERED_ACCESS = ACTIVITY_ACCESS.filter((access) => access !== 'group')

/** An activity's texts, times, who may take part, and how it is moderated. */
export function EditActivity({ project, stages, activity, renderVerification, onClose }: EditActivityProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<ActivityKind>(activity && isActivityKind(activity.kind) ? activity.kind : (ACTIVITY_KINDS[0] ?? 'ideas'))
  const [stage, setStage] = useState(activity?.relationships.stage?.id ?? NO_STAGE)
  const [changed, setChanged] = useState<Settings>(activity?.settings ?? {})
  const defaults: Settings = getDefaultSettings(kind)
  const settings = { ...defaults, ...changed }
  const changeSettings = (more: Settings) => setChanged((before) => ({ ...before, ...more }))
  /** Only what the kind declares can be set. */
  const hasSetting = (name: keyof Settings) => Object.hasOwn(defaults, name)
  const [fields, setFields] = useState({
    titleTranslations: activity?.titleTranslations ?? {},
    introTranslations: activity?.introTranslations ?? {},
    opensAt: activity?.opensAt ?? null,
    closesAt: activity?.closesAt ?? null,
    postAccess: activity?.postAccess ?? ('anyone_once' as const),
    reactAccess: activity?.reactAccess ?? ('anyone_once' as const),
    moderation: activity?.moderation ?? ('before' as const),
  })
  const [questions, setQuestions] = useState<ExtraQuestion[]>(activity?.fields ?? [])
  const change = (more: Partial<typeof fields>) => setFields((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: async (waived: string[] | void) => {
      const relationships = { stage: stage === NO_STAGE ? null : { type: 'project-stages' as const, id: stage } }
      if (activity) {
        await api.update(
          'activities',
          activity.id,
          { attributes: { ...fields, fields: questions, settings: changed, ...(waived ? { waived } : {}) }, relationships },
          { lockVersion: activity.meta.lockVersion },
        )
      } else {
        await api.create('activities', {
          attributes: { ...fields, fields: questions, kind, settings: changed },
          relationships: { ...relationships, project: { type: 'projects', id: project } },
        })
      }
    },
    onSuccess: async () => {
      onClose()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  const shownNames = settings.shownNames ?? []
  const geometries = settings.geometries ?? []
  const accessOptions = (chosen: ActivityAccess) =>
    [...OFFERED_ACCESS, ...(chosen === 'group' ? (['group'] as const) : [])].map((value) => ({ value, label: t(`access.${value}`) }))
  return (
    <EditDialog
      title={t(activity ? 'activities.edit' : 'activities.add')}
      saveLabel={t('common.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      {!activity && (
        <SelectInput
          name="kind"
          label={t('activities.kind')}
          value={kind}
          onChange={setKind}
          options={ACTIVITY_KINDS.map((value) => ({ value, label: t(`kind-names.${value}`) }))}
        />
      )}
      <TranslatedTexts
        languages={site.languages}
        source={site.locale}
        fields={[
          { name: 'titleTranslations', label: t('activities.name') },
          { name: 'introTranslations', label: t('activities.intro'), hint: admin('editor.markup'), rows: 5, isRich: true },
        ]}
        values={fields}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {stages.length > 0 && (
        <SelectInput
          name="stage"
          label={t('activities.stage')}
          value={stage}
          onChange={setStage}
          options={[{ value: NO_STAGE, label: t('activities.no-stage') }, ...stages.map(({ id, title }) => ({ value: id, label: title }))]}
        />
      )}
      <DateTimeField
        name="opensAt"
        label={t('activities.opens')}
        value={fields.opensAt ?? undefined}
        onChange={(at) => change({ opensAt: at ?? null })}
        error={words.messageOf('opensAt')}
        {...moment}
      />
      <DateTimeField
        name="closesAt"
        label={t('activities.closes')}
        value={fields.closesAt ?? undefined}
        onChange={(at) => change({ closesAt: at ?? null })}
        error={words.messageOf('closesAt')}
        {...moment}
      />
      <SelectInput
        name="postAccess"
        label={t('activities.post')}
        value={fields.postAccess}
        onChange={(postAccess) => change({ postAccess })}
        options={accessOptions(fields.postAccess)}
      />
      <SelectInput
        name="reactAccess"
        label={t('activities.react')}
        value={fields.reactAccess}
        onChange={(reactAccess) => change({ reactAccess })}
        options={accessOptions(fields.reactAccess)}
      />
      {(fields.postAccess === 'verified' || fields.reactAccess === 'verified') &&
        renderVerification({
          rule: getVerificationRule(settings),
          onChange: (verification) => changeSettings({ verification }),
          error: words.messageOf('settings.verification.list'),
        })}
      {hasSetting('reactions') && (
        <SelectInput
          name="reactions"
          label={t('activities.reactions')}
          value={settings.reactions ?? 'support'}
          onChange={(reactions) => changeSettings({ reactions })}
          options={REACTION_CHOICES.map((value) => ({
            value,
            label: t(`activities.reaction-choices.${value}`),
            disabled: activity?.hasOpened ?? false,
          }))}
          hint={t('activities.reactions-hint')}
          error={words.messageOf('settings.reactions')}
        />
      )}
      <SelectInput
        name="moderation"
        label={t('activities.moderation')}
        value={fields.moderation}
        onChange={(moderation) => change({ moderation })}
        options={MODERATION_MODES.map((value) => ({ value, label: t(`moderation.${value}`) }))}
      />
      <NumberInput
        name="moderationDays"
        label={t('activities.days')}
        value={settings.moderationDays ?? 3}
        onChange={(days) => changeSettings({ moderationDays: days ?? 3 })}
        min={1}
        max={30}
      />
      <fieldset>
        <legend>{t('activities.names')}</legend>
        {SHOWN_NAMES.map((name) => (
          <CheckInput
            key={name}
            name={`shownNames.${name}`}
            label={t(`names.${name}`)}
            value={shownNames.includes(name)}
            onChange={(chosen) =>
              changeSettings({
                shownNames: SHOWN_NAMES.filter((each) => (each === name ? chosen : shownNames.includes(each))),
              })
            }
          />
        ))}
      </fieldset>
      <CheckInput
        name="asksArea"
        label={t('activities.asks-area')}
        value={settings.asksArea ?? false}
        onChange={(asksArea) => changeSettings({ asksArea })}
      />
      <CheckInput
        name="openData"
        label={t('activities.open-data')}
        hint={t('activities.open-data-hint')}
        value={settings.openData ?? false}
        onChange={(openData) => changeSettings({ openData })}
      />
      <SelectInput
        name="photos"
        label={t('activities.photos')}
        hint={t('activities.photos-hint')}
        value={String(settings.photos ?? 0)}
        onChange={(photos) => changeSettings({ photos: Number(photos) })}
        options={[0, ...listPhotoSlots(MAX_PHOTOS)].map((count) => ({
          value: String(count),
          label: count === 0 ? t('activities.no-photos') : t('activities.photo-count', { count }),
        }))}
      />
      {hasSetting('geometries') && (
        <fieldset>
          <legend>{t('activities.geometries')}</legend>
          {SHAPES.map((shape) => (
            <CheckInput
              key={shape}
              name={`geometries.${shape}`}
              label={t(`activities.shapes.${shape}`)}
              value={geometries.includes(shape)}
              onChange={(chosen) =>
                changeSettings({ geometries: SHAPES.filter((each) => (each === shape ? chosen : geometries.includes(each))) })
              }
            />
          ))}
        </fieldset>
      )}
      {hasSetting('border') && (
        <SelectInput
          name="border"
          label={t('activities.border')}
          value={settings.border ?? 'warn'}
          onChange={(border) => changeSettings({ border })}
          options={(['warn', 'refuse'] as const).map((value) => ({ value, label: t(`activities.borders.${value}`) }))}
        />
      )}
      {hasSetting('answerDays') && (
        <NumberInput
          name="answerDays"
          label={t('question.answer-days')}
          value={settings.answerDays ?? 10}
          onChange={(answerDays) => changeSettings({ answerDays: answerDays ?? 10 })}
          min={1}
          max={60}
        />
      )}
      <ExtraQuestions questions={questions} onChange={setQuestions} words={words} />
      <Categories categories={settings.categories ?? []} onChange={(categories) => changeSettings({ categories })} />
      <LanguageGapsDialog error={save.error} onPublish={save.mutateAsync} onClose={save.reset} />
    </EditDialog>
  )
}

type Category = CommonSettings['categories'][number]

function Categories({ categories, onChange }: { categories: readonly Category[]; onChange: (categories: Category[]) => void }) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const shown = categories.filter(({ archived }) => !archived)
  const replace = (id: string, change: Partial<Category>) =>
    onChange(categories.map((category) => (category.id === id ? { ...category, ...change } : category)))
  return (
    <fieldset>
      <legend>{t('activities.categories')}</legend>
      {shown.map((category, at) => (
        <div key={category.id} className="admin-form">
          {site.languages.map((language) => (
            <TextInput
              key={language}
              name={`category.${category.id}.${language}`}
              label={`${t('activities.category', { number: at + 1 })} (${LANGUAGE_NAMES[language]})`}
              language={language}
              value={category.title[language] ?? ''}
              onChange={(text) => replace(category.id, { title: { ...category.title, [language]: text } })}
              maxLength={80}
            />
          ))}
          <div className="row">
            <Button kind="plain" size="small" onClick={() => onChange(categories.filter(({ id }) => id !== category.id))}>
              {t('activities.remove-category', { name: getTranslation(category.title, site.locale) || String(at + 1) })}
            </Button>
          </div>
        </div>
      ))}
      <div className="row">
        <Button kind="secondary" size="small" onClick={() => onChange([...categories, { id: crypto.randomUUID().slice(0, 8), title: {} }])}>
          {t('activities.add-category')}
        </Button>
      </div>
    </fieldset>
  )
}
