import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { listFieldPassages } from '#app/lib/plain-words/plain-passage.ts'
import { SURVEY_ACCESS, SURVEY_VARIANTS } from '#app/lib/vocabulary/surveys.ts'
import { DEFAULT_VERIFICATION_RULE, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { usePageState, useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { listPersonalKinds } from '../../questionnaire/personal-questions.ts'
import { WordsField } from '../question-types/WordsField.tsx'
import { GroupField } from '../access/GroupField.tsx'
import type { InvitationSubject } from '../access/invitation-subject.ts'
import { InvitationsPanel } from '../access/InvitationsPanel.tsx'
import type { PlacedFault } from './draft-faults.ts'
import type { Survey, SurveyDraft } from './survey-draft.ts'

export interface SurveySettingsProps {
  survey: Survey
  /** The times of its project, outside which no answers are accepted. */
  project: { opensAt: string | null; closesAt: string | null } | undefined
  draft: SurveyDraft
  change: (next: Partial<SurveyDraft>, key?: string) => void
  faults: readonly PlacedFault[]
  messageOf: (field: string) => string | undefined
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  /** People may have answered relying on the promise, so it can no longer be changed. */
  promised: boolean
  /** Whom a survey for verified people lets in. */
  renderVerification: (fields: {
    rule: VerificationRule
    onChange: (rule: VerificationRule) => void
    error: string | undefined
  }) => ReactNode
}

const TEXT_FIELDS = ['titleTranslations', 'introTranslations', 'thanksTranslations'] as const

const toInvitationSubject = ({ id, slug, title, state, meta }: Survey): InvitationSubject => ({
  type: 'surveys',
  id,
  slug,
  title,
  canInvite: meta.can.invite,
  isOpen: state !== 'preview' && state !== 'closed',
})

/** Texts before and after the questions, opening times, and who may answer. */
export function SurveySettings(props: SurveySettingsProps) {
  const { survey, project, draft, change, faults, messageOf, language, onLanguage, promised, renderVerification } = props
  const { t } = useTranslation('survey-admin')
  const site = useSite()
  const format = useFormat()
  const { opening, closing } = useMomentTexts()
  const texts = usePageState().features.features.marketplace_sms_integration.enabled
  /** The project's time if it is the narrower one. ISO times in UTC compare as strings. */
  const formatProjectLimit = (name: 'opensAt' | 'closesAt') => {
    if (name === 'opensAt' && survey.state !== 'scheduled' && survey.state !== 'preview') return undefined
    const [own, its] = [draft[name], project?.[name]]
    const isNarrower = its && (!own || (name === 'opensAt' ? own < its : own > its))
    return isNarrower ? t(`settings.project-${name}`, { date: format.dateTime(its) }) : undefined
  }
  const renderMoment = (name: 'opensAt' | 'closesAt') => {
    const { hint, ...words } = name === 'opensAt' ? opening : closing
    return (
      <DateTimeField
        name={name}
        label={t(`fields.${name}`)}
        hint={[hint, formatProjectLimit(name)].filter(Boolean).join(' ')}
        value={draft[name] ?? undefined}
        onChange={(at) => change({ [name]: at ?? null })}
        error={messageOf(name)}
        {...words}
      />
    )
  }
  const asksWho = listPersonalKinds(draft.definition).length > 0
  return (
    <div className="panel-grid">
      <section className="panel" aria-labelledby="survey-texts">
        <h2 id="survey-texts">{t('settings.texts')}</h2>
        <LanguageTabs
          label={t('languages')}
          languages={site.contentLanguages}
          missing={(code) => faults.filter((each) => each.id === undefined && each.language === code).length}
          missingLabel={(count) => t('missing', { count })}
          selected={language}
          onSelect={onLanguage}
        >
          <div className="admin-form">
            {TEXT_FIELDS.map((name) => (
              <WordsField
                key={name}
                name={name}
                label={t(`fields.${name}`)}
                values={draft[name]}
                language={language}
                onChange={(values, key) => change({ [name]: values }, key)}
                messageOf={messageOf}
                {...(name === 'titleTranslations' ? {} : { rows: 4 })}
              />
            ))}
            {texts && (
              <WordsField
                name="smsKeywords"
                label={t('fields.smsKeywords')}
                hint={t('settings.smsKeywords')}
                values={draft.smsKeywords}
                language={language}
                onChange={(smsKeywords, key) => change({ smsKeywords }, key)}
                messageOf={messageOf}
              />
            )}
          </div>
          <PlainPanel
            passages={listFieldPassages(Object.fromEntries(TEXT_FIELDS.map((name) => [name, draft[name]])), language)}
            language={language}
          />
        </LanguageTabs>
      </section>
      <section className="panel" aria-labelledby="survey-settings">
        <h2 id="survey-settings">{t('settings.rules')}</h2>
        {renderMoment('opensAt')}
        {renderMoment('closesAt')}
        <SelectInput
          name="access"
          label={t('fields.access')}
          hint={t(`access-hint.${draft.access}`)}
          value={draft.access}
          onChange={(access) => change({ access })}
          options={SURVEY_ACCESS.map((value) => ({ value, label: t(`access.${value}`) }))}
          error={messageOf('access')}
        />
        {draft.access === 'verified' &&
          renderVerification({
            rule: draft.verification ?? DEFAULT_VERIFICATION_RULE,
            onChange: (verification) => change({ verification }),
            error: messageOf('verification.list'),
          })}
        {draft.access === 'group' && (
          <GroupField
            value={draft.groupId}
            onChange={(groupId) => change({ groupId })}
            manages={survey.meta.can.invite}
            error={messageOf('groupId')}
          />
        )}
        <CheckInput
          name="anonymous"
          label={t('fields.anonymous')}
          hint={promised ? t('settings.promised') : t(asksWho ? 'settings.anonymous-asked' : 'settings.anonymous')}
          value={draft.anonymous}
          onChange={(anonymous) => change({ anonymous })}
          disabled={promised}
          error={messageOf('anonymous')}
        />
        <CheckInput
          name="changeable"
          label={t('fields.changeable')}
          hint={t('settings.changeable')}
          value={draft.changeable}
          onChange={(changeable) => change({ changeable })}
        />
        <CheckInput
          name="resultsPublic"
          label={t('fields.resultsPublic')}
          hint={t('settings.results')}
          value={draft.resultsPublic}
          onChange={(resultsPublic) => change({ resultsPublic })}
        />
        <SelectInput
          name="variant"
          label={t('fields.variant')}
          value={draft.variant}
          onChange={(variant) => change({ variant })}
          options={SURVEY_VARIANTS.map((value) => ({ value, label: t(`variant.${value}`) }))}
        />
        <NumberInput
          name="minutes"
          label={t('fields.minutes')}
          value={draft.minutes ?? undefined}
          onChange={(minutes) => change({ minutes: minutes ?? null }, 'minutes')}
          min={1}
          max={240}
          unit={t('settings.minutes')}
          error={messageOf('minutes')}
        />
        <TextInput
          name="slug"
          label={t('fields.slug')}
          hint={t('settings.slug')}
          value={draft.slug}
          onChange={(slug) => change({ slug }, 'slug')}
          error={messageOf('slug')}
        />
      </section>
      {survey.access === 'invited' && <InvitationsPanel subject={toInvitationSubject(survey)} />}
    </div>
  )
}
