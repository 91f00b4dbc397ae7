import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { PollView } from '#app/features/surveys/poll/poll.schema.ts'
import type { ProjectSurveyView, ProjectView } from './projects.schema.ts'

/** An activity in the list of what people can do. */
export interface ProjectActivityItem {
  slug: string
  open: boolean
  closed: boolean
  position: number
  href: string
  card: ReactNode
}

interface ProjectSurveysProps {
  project: ProjectView
  activities: readonly ProjectActivityItem[]
  renderPoll: (poll: PollView) => ReactNode
}

/** What people can take part in now or later, open first, apart from what has closed; both by position. */
export function groupByState<Item extends Pick<ProjectActivityItem, 'open' | 'closed' | 'position'>>(items: readonly Item[]) {
  const sorted = items.toSorted((a, b) => Number(b.open) - Number(a.open) || a.position - b.position)
  return { current: sorted.filter(({ closed }) => !closed), closed: sorted.filter(({ closed }) => closed) }
}

/** What people can do: surveys and activities; below, what has closed. */
export function ProjectSurveys({ project, activities, renderPoll }: ProjectSurveysProps) {
  const { t } = useTranslation('participant')
  const items = [
    ...project.surveys.map((survey) => ({
      key: `surveys/${survey.slug}`,
      open: survey.open,
      closed: !survey.open && !isUpcoming(project, survey),
      position: survey.position,
      card: <SurveyCard project={project} survey={survey} poll={survey.poll && survey.open ? renderPoll(survey.poll) : null} />,
    })),
    ...activities.map(({ slug, ...item }) => ({ ...item, key: slug })),
  ]
  const { current, closed } = groupByState(items)
  const lists = [
    {
      id: 'surveys',
      title: t(activities.length > 0 ? 'project.take-part' : 'project.surveys'),
      listed: current,
    },
    { id: 'closed', title: t('project.closed'), listed: closed },
  ]
  return lists.map(
    ({ id, title, listed }) =>
      listed.length > 0 && (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          <ul className="stack survey-list">
            {listed.map(({ key, card }) => (
              <li key={key} className="card">
                {card}
              </li>
            ))}
          </ul>
        </section>
      ),
  )
}

const isUpcoming = ({ now }: ProjectView, { opensAt }: ProjectSurveyView): boolean => opensAt !== null && opensAt > now

/** @param poll the survey's form, if it is answered right here */
function SurveyCard({ project, survey, poll }: { project: ProjectView; survey: ProjectSurveyView; poll: ReactNode }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const address = toLocalHref(`/projects/${project.slug}/surveys/${survey.slug}`)
  const opensLater = isUpcoming(project, survey)
  const state = survey.open
    ? survey.closesAt
      ? t('phase.open-until', { date: format.day(survey.closesAt, project.now) })
      : t('phase.open')
    : opensLater
      ? t('phase.opens-on', { date: format.day(survey.opensAt ?? '', project.now) })
      : t('phase.closed')
  return (
    <div className="card-body">
      <Tag kind={survey.open ? 'open' : opensLater ? 'plain' : 'closed'}>{state}</Tag>
      <h3 lang={survey.title.lang} dir={getDirection(survey.title.lang)}>
        {survey.title.text}
      </h3>
      {survey.intro.text && (
        <p lang={survey.intro.lang} dir={getDirection(survey.intro.lang)}>
          {survey.intro.text}
        </p>
      )}
      <Meta
        items={[
          ...(survey.minutes && survey.open
            ? [
                <>
                  <Icon name="clock" />
                  {t('minutes', { count: survey.minutes })}
                </>,
              ]
            : []),
          ...(survey.people > 0
            ? [
                <>
                  <Icon name="speech" />
                  {t(survey.open ? 'project.answers-so-far' : 'project.answers', {
                    count: survey.people,
                    number: format.number(survey.people),
                  })}
                </>,
              ]
            : []),
          ...(survey.needsAccount && survey.open
            ? [
                <>
                  <Icon name="lock" />
                  {t('project.needs-account')}
                </>,
              ]
            : []),
        ]}
      />
      {poll}
      <div className="row">
        {survey.open && !poll && (
          <a className={getButtonClass()} href={address}>
            {t('project.answer')}
            <span className="visually-hidden">: {survey.title.text}</span>
          </a>
        )}
        {survey.resultsPublic && !opensLater && (
          <a className={getButtonClass({ kind: 'secondary' })} href={`${address}/results`}>
            {t('project.see-results')}
            <span className="visually-hidden">: {survey.title.text}</span>
          </a>
        )}
      </div>
    </div>
  )
}
