import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ModerationFacts, ModerationPageView } from './moderation.schema.ts'

/** The rules, who decides, how long it takes, what to do if one disagrees, and what came of it in figures. */
export function ModerationPage({ rules, facts }: ModerationPageView) {
  const { t } = useTranslation('moderation')
  return (
    <div className="page wrap-narrow moderation-page">
      <PageTitle title={t('page.title')} />
      <p>{t('page.intro')}</p>
      <h2>{t('page.rules')}</h2>
      <dl>
        {rules.map(({ code, label, explanation }) => (
          <div key={code} id={code}>
            <dt>
              <strong>
                <Text words={label} />
              </strong>
            </dt>
            <dd>
              <Text words={explanation} />
            </dd>
          </div>
        ))}
      </dl>
      <h2>{t('page.who')}</h2>
      <p>{t('page.who-text')}</p>
      <h2>{t('page.time')}</h2>
      <p>{t('page.time-text')}</p>
      <h2>{t('page.disagree')}</h2>
      <p>{t('page.disagree-text')}</p>
      <h2>{t('page.reports')}</h2>
      <p>{t('page.reports-text')}</p>
      <h2>{t('page.facts')}</h2>
      {facts ? <Facts facts={facts} /> : <p>{t('page.facts-none')}</p>}
    </div>
  )
}

function Facts({ facts }: { facts: ModerationFacts }) {
  const { t } = useTranslation('moderation')
  const format = useFormat()
  const describeCount = (total: number) => (total === 0 ? t('page.few') : format.number(total))
  const { medianHours } = facts
  return (
    <>
      <p>{t('page.facts-text', { date: format.date(facts.since) })}</p>
      <DefinitionList
        items={[
          { term: t('page.received'), value: describeCount(facts.received) },
          { term: t('page.held'), value: describeCount(facts.held) },
          { term: t('page.declined'), value: describeCount(facts.declined) },
          { term: t('page.masked'), value: describeCount(facts.masked) },
          { term: t('page.appealed'), value: describeCount(facts.appealed) },
          { term: t('page.overturned'), value: describeCount(facts.overturned) },
          ...(medianHours === null
            ? []
            : [{ term: t('page.hours'), value: t('page.hours-value', { count: medianHours, number: format.number(medianHours) }) }]),
        ]}
      />
      {facts.byRule.length > 0 && (
        <>
          <h3>{t('page.by-rule')}</h3>
          <ul>
            {facts.byRule.map(({ label, count }) => (
              <li key={label.text}>
                <Text words={label} />: {format.number(count)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
