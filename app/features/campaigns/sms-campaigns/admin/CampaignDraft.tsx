import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentWords } from '#app/shell/use-content-words.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEdited } from '#app/ui/admin/use-edited.ts'
import { Button } from '#app/ui/button.tsx'
import { forgetCampaigns, textSurveysQuery } from '../../campaigns.queries.ts'
import { AUDIENCE_THINGS } from '../../campaigns.schema.ts'
import { cheaper, segmentsOf } from '#app/lib/sms-segments.ts'
import { AudienceFields } from '../../admin/AudienceFields.tsx'
import type { Campaign } from './campaign-type.ts'

const NONE = 'none'
/** The names of fields in a hint stand for themselves. */
const AS_WRITTEN = { name: '{{name}}', site: '{{site}}', link: '{{link}}' }

/** What a campaign says in each language, with what it costs to say so, and who of its people it is for. */
export function CampaignDraft({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('sms')
  const site = useSite()
  const queryClient = useQueryClient()
  const { fields, changed, values, change, reset } = useEdited({
    name: campaign.name,
    bodyTranslations: campaign.bodyTranslations ?? {},
    audience: campaign.audience,
    survey: campaign.relationships.survey,
  })
  const save = useMutation({
    mutationFn: (sent: typeof values) => {
      const { survey, ...attributes } = sent
      return api.update(
        'sms-campaigns',
        campaign.id,
        { attributes, ...(survey === undefined ? {} : { relationships: { survey } }) },
        { lockVersion: campaign.meta.lockVersion },
      )
    },
    onSuccess: async (_, sent) => {
      await forgetCampaigns(queryClient)
      reset(sent)
    },
    onError: () => forgetCampaigns(queryClient),
  })
  const words = useContentWords(save.error)
  const surveys = useQuery(textSurveysQuery).data?.data ?? []
  return (
    <ContentForm
      unsaved={changed.length}
      saving={save.isPending}
      faults={words.faults}
      stale={words.stale}
      onSave={() => save.mutate(values)}
      words={words.form}
    >
      <div className="admin-form">
        <TextInput
          name="name"
          label={t('campaigns.name')}
          value={fields.name}
          onChange={(name) => change({ name })}
          maxLength={120}
          required
        />
      </div>
      <TranslatedTexts
        languages={site.languages}
        source={site.locale}
        fields={[{ name: 'bodyTranslations', label: t('messages.body'), hint: t('draft.fields', AS_WRITTEN), rows: 4 }]}
        values={fields}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <Costs texts={fields.bodyTranslations} onChange={(bodyTranslations) => change({ bodyTranslations })} />
      <div className="admin-form">
        <AudienceFields
          audience={fields.audience}
          chosen={campaign.chosen}
          onChange={(audience) => change({ audience })}
          error={['audience', ...AUDIENCE_THINGS.map((thing) => `audience.${thing}`)].map(words.messageOf).find(Boolean)}
        />
        {(surveys.length > 0 || fields.survey) && (
          <SelectInput<string>
            name="survey"
            label={t('draft.survey')}
            hint={t('draft.survey-hint')}
            value={fields.survey?.id ?? NONE}
            onChange={(id) => change({ survey: id === NONE ? null : { type: 'surveys', id } })}
            options={[{ value: NONE, label: t('draft.no-survey') }, ...surveys.map(({ id, title }) => ({ value: id, label: title }))]}
            error={words.messageOf('survey')}
          />
        )}
      </div>
    </ContentForm>
  )
}

type Texts = Partial<Record<Language, string>>

/** How many texts each language's text is, and which characters make it dear. */
function Costs({ texts, onChange }: { texts: Texts; onChange: (texts: Texts) => void }) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const { languages } = useSite()
  const written = languages.filter((language) => texts[language]?.trim())
  if (written.length === 0) return null
  return (
    <ul className="admin-list sms-costs">
      {written.map((language) => {
        const text = texts[language] ?? ''
        const { segments, free, costly } = segmentsOf(text)
        const saved = segmentsOf(cheaper(text)).segments
        return (
          <li key={language}>
            <span>
              <strong lang={language}>{LANGUAGE_NAMES[language]}</strong> {t('segments', { count: segments })},{' '}
              {t('draft.free', { count: free, number: format.number(free) })}
            </span>
            {costly.length > 0 && (
              <span>
                {t('draft.costly')} <mark>{costly.slice(0, 12).join(' ')}</mark>{' '}
                {saved < segments && (
                  <Button type="button" kind="secondary" size="small" onClick={() => onChange({ ...texts, [language]: cheaper(text) })}>
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
