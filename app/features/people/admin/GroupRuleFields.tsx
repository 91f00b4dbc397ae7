import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { activitySource, hubSource, projectSource, surveySource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { CheckInput, NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import type { GroupRule } from '#app/features/accounts/accounts.schema.ts'
import { ProfileChoices } from './ProfileChoices.tsx'

const HUBS = hubSource({ mine: true })
const SURVEYS = surveySource()
const ACTIVITIES = activitySource()
const ANY = 'any'

interface GroupRuleFieldsProps {
  rule: GroupRule
  /** The hub that the group belongs to, which its rule may not leave. */
  hubId: string | null
  onChange: (rule: GroupRule) => void
}

/** The rule of a group: everyone who matches all of it belongs to the group, also in future. */
export function GroupRuleFields({ rule, hubId, onChange }: GroupRuleFieldsProps) {
  const { t } = useTranslation('people')
  const site = useSite()
  const projects = useMemo(() => projectSource(hubId === null ? {} : { hub: [hubId] }), [hubId])
  const change = (changes: { [Name in keyof GroupRule]?: GroupRule[Name] | undefined }) => onChange(omitUndefined({ ...rule, ...changes }))
  return (
    <>
      <RecordChoice
        name="hub"
        label={t('groups.took-part')}
        source={HUBS}
        value={rule.hub ?? null}
        none={t('table.any-hub')}
        unknown={t('groups.kept')}
        onChange={(hub) => change({ hub: hub ?? undefined })}
      />
      <RecordChoice
        name="project"
        label={t('groups.took-part-project')}
        source={projects}
        value={rule.project ?? null}
        none={t('groups.any-project')}
        unknown={t('groups.kept')}
        onChange={(project) => change({ project: project ?? undefined })}
      />
      <RecordChoice
        name="survey"
        label={t('groups.answered')}
        source={SURVEYS}
        value={rule.answered?.survey ?? null}
        none={t('groups.any-survey')}
        unknown={t('groups.kept')}
        onChange={(survey) => change({ answered: survey === null ? undefined : { survey } })}
      />
      {rule.answered && <AnswerField answered={rule.answered} onChange={(answered) => change({ answered })} />}
      <RecordChoice
        name="contributedTo"
        label={t('groups.contributed-to')}
        source={ACTIVITIES}
        value={rule.contributedTo ?? null}
        none={t('groups.any-activity')}
        unknown={t('groups.kept')}
        onChange={(contributedTo) => change({ contributedTo: contributedTo ?? undefined })}
      />
      <RecordChoice
        name="supportedIn"
        label={t('groups.supported-in')}
        source={ACTIVITIES}
        value={rule.supportedIn ?? null}
        none={t('groups.any-activity')}
        unknown={t('groups.kept')}
        onChange={(supportedIn) => change({ supportedIn: supportedIn ?? undefined })}
      />
      <ProfileChoices filter={rule.profile} onChange={(profile) => change({ profile })} />
      <SelectInput<string>
        name="locale"
        label={t('person.language')}
        value={rule.locale ?? ANY}
        onChange={(locale) => change({ locale: site.contentLanguages.find((code) => code === locale) })}
        options={[
          { value: ANY, label: t('groups.any-language') },
          ...site.contentLanguages.map((value) => ({ value, label: getLanguageName(value) })),
        ]}
      />
      <NumberInput
        name="seen"
        label={t('groups.seen-within')}
        value={rule.seenWithinDays}
        onChange={(seenWithinDays) => change({ seenWithinDays })}
        min={1}
        max={3650}
      />
      <CheckInput
        name="consent"
        label={t('groups.consented')}
        value={rule.marketingConsent === true}
        onChange={(on) => change({ marketingConsent: on || undefined })}
      />
    </>
  )
}

type Answered = NonNullable<GroupRule['answered']>

/** Which answer people gave: an option of one of the survey's choices, or any answer. */
function AnswerField({ answered, onChange }: { answered: Answered; onChange: (answered: Answered) => void }) {
  const { t } = useTranslation('people')
  const site = useSite()
  const language = useLanguage()
  const newest = useQuery(surveyVersionsQuery(answered.survey)).data?.[0]
  const options = (newest?.definition.pages ?? []).flatMap(({ questions }) =>
    questions.flatMap((question) =>
      'options' in question
        ? question.options.map((option) => ({
            value: `${question.id}/${option.id}`,
            label: `${getTranslation(question.title, language, site.locale)}: ${getTranslation(option.label, language, site.locale)}`,
          }))
        : [],
    ),
  )
  return (
    <SelectInput<string>
      name="answer"
      label={t('groups.answer')}
      value={answered.question && answered.option ? `${answered.question}/${answered.option}` : ANY}
      onChange={(chosen) => {
        const [question, option] = chosen.split('/')
        onChange(question && option ? { survey: answered.survey, question, option } : { survey: answered.survey })
      }}
      options={[{ value: ANY, label: t('groups.any-answer') }, ...options]}
    />
  )
}
