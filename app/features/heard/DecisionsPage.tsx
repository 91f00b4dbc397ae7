import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { DELIVERIES, OUTCOMES } from '#app/lib/vocabulary/heard.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Select } from '#app/ui/select.tsx'
import { StatNumbers } from '#app/ui/stat-numbers.tsx'
import { Text } from '#app/ui/text.tsx'
import type { DecidedThemeView, DecisionsView, DecisionView } from './heard.schema.ts'

interface PageProps {
  page: DecisionsView
}

const DELIVERY_STEPS = ['planned', 'under_way', 'done'] as const

/** What people said in a project, what was decided about it, why, and what was done. */
export function DecisionsPage({ page }: PageProps) {
  const { t } = useTranslation('heard')
  const format = useFormat()
  const { project, decisions } = page
  return (
    <div className="page wrap decisions-page">
      <ProjectBreadcrumbs project={project} withProjects current={t('title')} />
      <PageTitle title={t('title')} lead={t('lead')}>
        <p className="meta">{t('version', { version: format.number(page.version), date: format.date(page.publishedAt) })}</p>
      </PageTitle>
      <StatNumbers
        items={[
          { value: format.number(page.texts), label: t('figures.texts') },
          { value: format.number(page.textsRead), label: t('figures.read') },
          { value: format.number(page.total), label: t('figures.decisions') },
          { value: format.number(page.deliveries.done), label: t('figures.done') },
        ]}
      />
      <LatePromises page={page} />
      <Filters page={page} />
      <h2 className="decisions-count">{t('count', { count: decisions.length, number: format.number(decisions.length) })}</h2>
      {decisions.length === 0 && <EmptyState title={t('none')} level={3} />}
      {decisions.map((decision) => (
        <Decision key={decision.number} decision={decision} />
      ))}
      <div className="decisions-notes">
        <p>
          {t('frozen', { date: format.date(page.publishedAt) })}
          {page.gone > 0 && ` ${t('gone', { count: page.gone, number: format.number(page.gone) })}`}
        </p>
        {page.hasReport && (
          <p>
            <Link to="/projects/$slug/report" params={{ slug: project.slug }}>
              {t('report')}
            </Link>
          </p>
        )}
        <p>
          {t('own')} <Link to="/receipt">{t('own-link')}</Link> {t('own-text')}
        </p>
      </div>
    </div>
  )
}

function LatePromises({ page: { late } }: PageProps) {
  const { t } = useTranslation('heard')
  const format = useFormat()
  if (late.length === 0) return null
  return (
    <section className="decisions-late" aria-labelledby="late">
      <h2 id="late">{t('late-title', { count: late.length, number: format.number(late.length) })}</h2>
      <p>{t('late-text')}</p>
      <ul>
        {late.map(({ number, title, days }) => (
          <li key={number}>
            <a href={`#decision-${number}`}>
              {t('number', { number })}
              {format.colon}
              <Text words={title} />
            </a>
            , {t('late-days', { count: days, number: format.number(days) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Filters({ page: { project, themes, search } }: PageProps) {
  const { t } = useTranslation('heard')
  const all = { value: '', label: t('filter.all') }
  const address = `/projects/${project.slug}/decisions`
  const isUsed = Object.keys(search).length > 0
  return (
    <search>
      <form method="get" action={toLocalHref(address)} className="decisions-filter no-print" key={JSON.stringify(search)}>
        <Select
          name="theme"
          label={t('filter.theme')}
          options={[all, ...themes.map(({ id, title }) => ({ value: id, label: title.text }))]}
          defaultValue={search.theme ?? ''}
        />
        <Select
          name="outcome"
          label={t('filter.outcome')}
          options={[all, ...OUTCOMES.map((value) => ({ value, label: t(`outcomes.${value}`) }))]}
          defaultValue={search.outcome ?? ''}
        />
        <Select
          name="delivery"
          label={t('filter.delivery')}
          options={[all, { value: 'late', label: t('late') }, ...DELIVERIES.map((value) => ({ value, label: t(`deliveries.${value}`) }))]}
          defaultValue={search.delivery ?? ''}
        />
        <Button type="submit" kind="secondary">
          {t('filter.apply')}
        </Button>
        {isUsed && <a href={toLocalHref(address)}>{t('filter.clear')}</a>}
      </form>
    </search>
  )
}

function Decision({ decision }: { decision: DecisionView }) {
  const { t } = useTranslation('heard')
  const id = `decision-${decision.number}`
  return (
    <article className="card decision" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <p className="meta">{t('number', { number: decision.number })}</p>
        <p className="decision-tags">
          <span className={`tag decision-${decision.outcome}`}>{t(`outcomes.${decision.outcome}`)}</span>
          {decision.isLate && <span className="tag decision-late">{t('late')}</span>}
        </p>
        <h3 id={`${id}-title`}>
          <Text words={decision.title} />
        </h3>
      </header>
      <div className="decision-parts">
        <section>
          <h4>{t('heard')}</h4>
          {decision.themes.length === 0 && <p>{t('no-theme')}</p>}
          {decision.themes.map((theme) => (
            <HeardTheme key={theme.id} theme={theme} />
          ))}
        </section>
        <Reason decision={decision} />
        <DeliveryState decision={decision} />
      </div>
    </article>
  )
}

function HeardTheme({ theme: { title, people, gone, quotes } }: { theme: DecidedThemeView }) {
  const { t } = useTranslation('heard')
  const format = useFormat()
  return (
    <>
      <p>
        <strong>
          <Text words={title} />
        </strong>
        , {t('from', { count: people, number: format.number(people) })}
      </p>
      {gone > 0 && <p className="meta">{t('gone', { count: gone, number: format.number(gone) })}</p>}
      {quotes.map(({ text, language }) => (
        <blockquote key={text} lang={language} dir={getDirection(language)}>
          {text}
        </blockquote>
      ))}
    </>
  )
}

function Reason({ decision }: { decision: DecisionView }) {
  const { t } = useTranslation('heard')
  const day = useDay()
  return (
    <section>
      <h4>{t('decided')}</h4>
      {decision.text.text && (
        <p>
          <Text words={decision.text} />
        </p>
      )}
      <p>
        <Text words={decision.reason} />
      </p>
      <p className="meta">
        {decision.body.text ? (
          <>
            <Text words={decision.body} />, {day(decision.decidedOn)}
          </>
        ) : (
          day(decision.decidedOn)
        )}
      </p>
    </section>
  )
}

function DeliveryState({ decision }: { decision: DecisionView }) {
  const { t } = useTranslation('heard')
  const day = useDay()
  const { delivery, dueOn, delays, note } = decision
  return (
    <section>
      <h4>{t('done')}</h4>
      {delivery === 'stopped' ? (
        <p>
          <strong>{t('deliveries.stopped')}</strong>
        </p>
      ) : (
        <ol className={decision.isLate ? 'decision-steps decision-steps-late' : 'decision-steps'}>
          {DELIVERY_STEPS.map((step, at) => (
            <li
              key={step}
              data-reached={at <= DELIVERY_STEPS.indexOf(delivery) || undefined}
              aria-current={step === delivery ? 'step' : undefined}
            >
              {t(`deliveries.${step}`)}
            </li>
          ))}
        </ol>
      )}
      {note.text && (
        <p>
          <Text words={note} />
        </p>
      )}
      {delays.map(({ before, after, reason }) => (
        <p key={before}>
          {after ? t('delayed', { before: day(before), after: day(after) }) : t('delayed-open', { before: day(before) })}{' '}
          <Text words={reason} />
        </p>
      ))}
      {dueOn && delivery !== 'done' && delays.length === 0 && <p>{t('promised', { date: day(dueOn) })}</p>}
    </section>
  )
}

/** A calendar day, whatever the site's time zone. @returns for `2026-03-27` */
function useDay(): (date: string) => string {
  const format = useFormat()
  return (date) => format.date(`${date}T12:00:00Z`)
}
