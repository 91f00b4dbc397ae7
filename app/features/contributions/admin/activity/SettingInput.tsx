import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ACTIVITY_ACCESS,
  MODERATION_MODES,
  REACTION_CHOICES,
  type ReactionChoice,
  SHOWN_NAMES,
  type ShownName,
} from '#app/lib/vocabulary/contributions.ts'
import { listFieldPassages } from '#app/lib/plain-words/plain-passage.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import type { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { type CommonSettings, getVerificationRule } from '../../kinds/define-kind.ts'
import type { SettingName } from '../../kinds/sections.ts'
import type { ActivityContent } from '../../record/activity-content.schema.ts'
import { type Shape, SHAPES } from '../../record/drawing.schema.ts'
import { listPhotoSlots, MAX_PHOTOS } from '../../record/photos.schema.ts'
import type { StageDocument } from '../EditStage.tsx'
import { ExtraQuestions } from '../ExtraQuestions.tsx'
import { CategoryInputs } from './CategoryInputs.tsx'

/** Whom an activity for verified people lets in. */
export interface VerificationFieldsProps {
  rule: VerificationRule
  onChange: (rule: VerificationRule) => void
  error: string | undefined
}

interface SettingInputProps {
  name: SettingName
  content: ActivityContent
  /** What the kind begins with. */
  defaults: Record<string, unknown>
  stages: readonly StageDocument[]
  /** People can take part, so that what they said must go on meaning the same. */
  hasOpened: boolean
  words: ReturnType<typeof useEditorTexts>
  nameSetting: (name: SettingName) => string
  /** What it does, and its default. */
  explain: (name: SettingName) => string
  onChange: (more: Partial<ActivityContent>) => void
  renderVerification: (fields: VerificationFieldsProps) => ReactNode
}

const NO_STAGE = 'none'
/** A group is chosen with the API only. */
const OFFERED_ACCESS = ACTIVITY_ACCESS.filter((access) => access !== 'group')

/** The input of one setting of an activity. */
export function SettingInput(props: SettingInputProps) {
  const { name, content, defaults, stages, hasOpened, words, nameSetting, explain, onChange, renderVerification } = props
  const [label, hint] = [nameSetting(name), explain(name)]
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const setting = name.startsWith('settings.') ? name.slice('settings.'.length) : ''
  const value = setting ? (content.settings[setting] ?? defaults[setting]) : undefined
  const set = (next: unknown) => onChange({ settings: { ...content.settings, [setting]: next } })
  const messageOf = (field: string) => words.messageOf(`content.${field}`)
  const field = { name: setting || name, label, error: messageOf(name), hint }
  const renderCheck = (disabled = false) => <CheckInput {...field} value={value === true} onChange={set} disabled={disabled} />
  const renderDays = (max: number) => (
    <NumberInput {...field} value={value as number} onChange={(days) => set(days ?? defaults[setting])} min={1} max={max} />
  )
  const renderSeveral = <Value extends string>(all: readonly Value[], nameOf: (value: Value) => string) => {
    const chosen = value as readonly Value[]
    return (
      <fieldset>
        <legend>{label}</legend>
        <p className="field-hint">{hint}</p>
        {all.map((one) => (
          <CheckInput
            key={one}
            name={`${setting}.${one}`}
            label={nameOf(one)}
            value={chosen.includes(one)}
            error={one === all[0] ? messageOf(name) : undefined}
            onChange={(isChosen) => set(all.filter((each) => (each === one ? isChosen : chosen.includes(each))))}
          />
        ))}
      </fieldset>
    )
  }
  const renderChoice = <Value extends string>(
    chosen: Value,
    all: readonly Value[],
    nameOf: (value: Value) => string,
    choose: (value: Value) => void,
    disabled = false,
  ) => (
    <SelectInput {...field} value={chosen} onChange={choose} options={all.map((one) => ({ value: one, label: nameOf(one), disabled }))} />
  )
  const renderAccess = (of: 'postAccess' | 'reactAccess') =>
    renderChoice(
      content[of],
      content[of] === 'group' ? [...OFFERED_ACCESS, 'group'] : OFFERED_ACCESS,
      (one) => t(`access.${one}`),
      (access) => onChange({ [of]: access }),
    )
  const renderMoment = (of: 'opensAt' | 'closesAt') => (
    <DateTimeField {...field} value={content[of] ?? undefined} onChange={(at) => onChange({ [of]: at ?? null })} {...moment} />
  )

  switch (name) {
    case 'titleTranslations': {
      const { titleTranslations, introTranslations } = content
      return (
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[
            { name, label, hint },
            {
              name: 'introTranslations',
              label: nameSetting('introTranslations'),
              hint: `${explain('introTranslations')} ${admin('editor.markup')}`,
              rows: 5,
              isRich: true,
            },
          ]}
          values={{ titleTranslations, introTranslations }}
          onChange={(text, next) => onChange({ [text]: next })}
          messageOf={messageOf}
          renderBelow={(language) => (
            <PlainPanel passages={listFieldPassages({ titleTranslations, introTranslations }, language)} language={language} />
          )}
          words={words.texts}
        />
      )
    }
    // Written beside the title, in the same language.
    case 'introTranslations':
      return null
    case 'stage':
      if (stages.length === 0) return null
      return (
        <SelectInput
          {...field}
          value={content.stage ?? NO_STAGE}
          onChange={(stage) => onChange({ stage: stage === NO_STAGE ? null : stage })}
          options={[{ value: NO_STAGE, label: t('activities.no-stage') }, ...stages.map(({ id, title }) => ({ value: id, label: title }))]}
        />
      )
    case 'opensAt':
    case 'closesAt':
      return renderMoment(name)
    case 'postAccess':
    case 'reactAccess':
      return renderAccess(name)
    case 'groupId':
      return null
    case 'moderation':
      return (
        <SelectInput
          {...field}
          // The section has the same name.
          id="moderation-mode"
          value={content.moderation}
          onChange={(moderation) => onChange({ moderation })}
          options={MODERATION_MODES.map((one) => ({ value: one, label: t(`moderation.${one}`) }))}
        />
      )
    case 'fields':
      return <ExtraQuestions questions={content.fields} onChange={(fields) => onChange({ fields })} words={{ ...words, messageOf }} />
    case 'settings.verification':
      if (content.postAccess !== 'verified' && content.reactAccess !== 'verified') return null
      return renderVerification({
        rule: getVerificationRule(content.settings),
        onChange: set,
        error: messageOf('settings.verification.list'),
      })
    case 'settings.categories':
      return (
        <CategoryInputs
          label={label}
          hint={hint}
          categories={value as CommonSettings['categories']}
          onChange={set}
          messageOf={(at) => messageOf(`settings.categories.${at}`)}
        />
      )
    case 'settings.shownNames':
      return renderSeveral<ShownName>(SHOWN_NAMES, (one) => t(`names.${one}`))
    case 'settings.geometries':
      return renderSeveral<Shape>(SHAPES, (one) => t(`activities.shapes.${one}`))
    case 'settings.border':
      return renderChoice(value as 'warn' | 'refuse', ['warn', 'refuse'], (one) => t(`activities.borders.${one}`), set)
    case 'settings.reactions':
      return renderChoice(value as ReactionChoice, REACTION_CHOICES, (one) => t(`activities.reaction-choices.${one}`), set, hasOpened)
    case 'settings.photos':
      return renderChoice(
        String(Number(value ?? 0)),
        [0, ...listPhotoSlots(MAX_PHOTOS)].map(String),
        (count) => (count === '0' ? t('activities.no-photos') : t('activities.photo-count', { count: Number(count) })),
        (count) => set(Number(count)),
      )
    case 'settings.moderationDays':
      return renderDays(30)
    case 'settings.answerDays':
      return renderDays(60)
    case 'settings.ledger':
      return renderCheck(hasOpened)
    case 'settings.asksArea':
    case 'settings.openData':
    case 'settings.titles':
    case 'settings.replies':
    case 'settings.support':
      return renderCheck()
  }
}
