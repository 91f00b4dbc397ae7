import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { surveySource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { replaceCostlyCharacters, measureSegments } from '#app/lib/sms-segments.ts'
import { CampaignDraftForm, MERGE_FIELDS, useCampaignDraft } from '../../admin/CampaignDraftForm.tsx'
import type { SmsCampaign } from './sms-campaign-type.ts'

/** Surveys whose questions can be sent by text message. */
const SURVEYS = surveySource({ byText: true, managed: true, status: ['published'] })

/** Edits a campaign's text in each language, with its cost in text messages, and its audience. */
export function SmsCampaignDraft({ campaign }: { campaign: SmsCampaign }) {
  const { t } = useTranslation('sms')
  const site = useSite()
  const draft = useCampaignDraft(
    {
      name: campaign.name,
      bodyTranslations: campaign.bodyTranslations ?? {},
      audience: campaign.audience,
      survey: campaign.relationships.survey,
    },
    ({ survey, ...attributes }) =>
      api.update(
        'sms-campaigns',
        campaign.id,
        { attributes, ...(survey === undefined ? {} : { relationships: { survey } }) },
        { lockVersion: campaign.meta.lockVersion },
      ),
  )
  const { fields, change, texts: words } = draft
  const languages = fields.survey ? site.languages : site.contentLanguages
  const hasSurveys = (useFirstRecord(SURVEYS).total ?? 0) > 0
  return (
    <CampaignDraftForm
      draft={draft}
      chosen={campaign.chosen}
      more={
        (hasSurveys || fields.survey) && (
          <RecordChoice
            name="survey"
            label={t('draft.survey')}
            hint={t('draft.survey-hint')}
            source={SURVEYS}
            value={fields.survey?.id ?? null}
            none={t('draft.no-survey')}
            onChange={(id) => change({ survey: id === null ? null : { type: 'surveys', id } })}
            error={words.messageOf('survey')}
          />
        )
      }
    >
      <TranslatedTexts
        // The question that ends a text is asked in the languages of the interface.
        languages={languages}
        source={site.locale}
        fields={[{ name: 'bodyTranslations', label: t('messages.body'), hint: t('draft.fields', MERGE_FIELDS), rows: 4 }]}
        values={fields}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <TextCosts languages={languages} texts={fields.bodyTranslations} onChange={(bodyTranslations) => change({ bodyTranslations })} />
    </CampaignDraftForm>
  )
}

type TextsByLanguage = Partial<Record<ContentLanguage, string>>

interface TextCostsProps {
  languages: readonly ContentLanguage[]
  texts: TextsByLanguage
  onChange: (texts: TextsByLanguage) => void
}

/** Number of text messages per language, and the characters that make it expensive. */
function TextCosts({ languages, texts, onChange }: TextCostsProps) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const written = languages.filter((language) => texts[language]?.trim())
  if (written.length === 0) return null
  return (
    <ul className="admin-list sms-costs">
      {written.map((language) => {
        const text = texts[language] ?? ''
        const { segments, free, costly } = measureSegments(text)
        const saved = measureSegments(replaceCostlyCharacters(text)).segments
        return (
          <li key={language}>
            <span>
              <strong lang={language} dir={getDirection(language)}>
                {getLanguageName(language)}
              </strong>{' '}
              {t('segments', { count: segments })}, {t('draft.free', { count: free, number: format.number(free) })}
            </span>
            {costly.length > 0 && (
              <span>
                {t('draft.costly')} <mark>{costly.slice(0, 12).join(' ')}</mark>{' '}
                {saved < segments && (
                  <Button
                    type="button"
                    kind="secondary"
                    size="small"
                    onClick={() => onChange({ ...texts, [language]: replaceCostlyCharacters(text) })}
                  >
                    {t('draft.cheaper', { count: saved })}
                  </Button>
                )}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
