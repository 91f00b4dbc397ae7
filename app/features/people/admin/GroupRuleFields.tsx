import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { CheckInput, NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import type { GroupRule } from '#app/features/accounts/accounts.schema.ts'
import { activityChoicesQuery, placesQuery, ruleProjectsQuery, ruleSurveysQuery } from '#app/features/accounts/people.queries.ts'

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
  const hubs = useSuspenseQuery(placesQuery).data.data
  const projects = useQuery(ruleProjectsQuery).data?.data ?? []
  const surveys = useQuery(ruleSurveysQuery).data?.data ?? []
  const activities = useQuery(activityChoicesQuery).data
  const change = (changes: { [Name in keyof GroupRule]?: GroupRule[Name] | undefined }) => onChange(omitUndefined({ ...rule, ...changes }))
  const toValue = (chosen: string) => (chosen === ANY ? undefined : chosen)
  const withAny = (any: string, options: readonly { value: string; label: string }[], current: string | undefined) => [
    { value: ANY, label: any },
    ...options,
    // Further down a long list, but still what the rule says.
    ...(current && !options.some(({ value }) => value === current) ? [{ value: current, label: t('groups.kept') }] : []),
  ]
  const activityOptions = (activities?.data ?? []).map((activity) => ({
    value: activity.id,
    label: `${activity.title} (${activities && findLinked(activities, activity.relationships.project)?.title})`,
  }))
  const surveyId = rule.answered?.survey
  return (
    <>
      <SelectInput<string>
        name="hub"
        label={t('groups.took-part')}
        value={rule.hub ?? ANY}
        onChange={(hub) => change({ hub: toValue(hub) })}
        options={withAny(
          t('table.any-hub'),
          hubs.filter(({ id }) => hubId === null || id === hubId).map((one) => ({ value: one.id, label: one.title })),
          rule.hub,
        )}
      />
      <SelectInput<string>
        name="project"
        label={t('groups.took-part-project')}
        value={rule.project ?? ANY}
        onChange={(project) => change({ project: toValue(project) })}
        options={withAny(
          t('groups.any-project'),
          projects
            .filter(({ relationships: { hub } }) => hubId === null || hub?.id === hubId)
            .map((one) => ({ value: one.id, label: one.title })),
          rule.project,
        )}
      />
      <SelectInput<string>
        name="survey"
        label={t('groups.answered')}
        value={surveyId ?? ANY}
        onChange={(survey) => change({ answered: survey === ANY ? undefined : { survey } })}
        options={withAny(
          t('groups.any-survey'),
          surveys.map((one) => ({ value: one.id, label: one.title })),
          surveyId,
        )}
      />
      {rule.answered && <AnswerField answered={rule.answered} onChange={(answered) => change({ answered })} />}
      <SelectInput<string>
        name="contributedTo"
        label={t('groups.contributed-to')}
        value={rule.contributedTo ?? ANY}
        onChange={(contributedTo) => change({ contributedTo: toValue(contributedTo) })}
        options={withAny(t('groups.any-activity'), activityOptions, rule.contributedTo)}
      />
      <SelectInput<string>
        name="supportedIn"
        label={t('groups.supported-in')}
        value={rule.supportedIn ?? ANY}
        onChange={(supportedIn) => change({ supportedIn: toValue(supportedIn) })}
        options={withAny(t('groups.any-activity'), activityOptions, rule.supportedIn)}
      />
      <SelectInput<string>
        name="locale"
        label={t('person.language')}
        value={rule.locale ?? ANY}
        onChange={(locale) => change({ locale: site.languages.find((code) => code === locale) })}
        options={[
          { value: ANY, label: t('groups.any-language') },
          ...site.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
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
