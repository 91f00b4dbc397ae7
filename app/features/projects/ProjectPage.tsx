import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { VideoInPlace } from '#app/shell/lazy-video-in-place.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RichBlocks, type RichVideo } from '#app/ui/RichBlocks.tsx'
import { Text } from '#app/ui/text.tsx'
import { PhaseTag } from './PhaseTag.tsx'
import { ProjectDocuments, ProjectFaqs, ProjectUpdates } from './ProjectContents.tsx'
import { ProjectKeyDates, ProjectPlace, ProjectTeam, ShareProject } from './ProjectSide.tsx'
import type { PollView } from '#app/features/surveys/poll/poll.schema.ts'
import { type ProjectActivityItem, ProjectSurveys } from './ProjectSurveys.tsx'
import type { ProjectView } from './projects.schema.ts'

interface ProjectPageProps {
  project: ProjectView
  /** The page's full URL, for sharing. */
  address: string
  /** Follow or unfollow, rendered by the follows feature. */
  follow: ReactNode
  /** City data shown with the project, if there is any. */
  data: ReactNode
  /** Where the project stands, if it has stages. */
  stages: ReactNode
  /** What people can do besides answering surveys. */
  activities: readonly ProjectActivityItem[]
  renderPoll: (poll: PollView) => ReactNode
}

const renderVideo = (video: RichVideo) => <VideoInPlace key={video.href} video={video} />

export function ProjectPage({ project, address, follow, data, stages, activities, renderPoll }: ProjectPageProps) {
  const { t } = useTranslation('participant')
  const words = project.body
  return (
    <div className="page">
      <div className="wrap">
        <ProjectBreadcrumbs project={project} />
        <Notices project={project} />
        <ProjectHead project={project} activities={activities} />
        <div className="project-parts">
          {stages}
          <div className="stack project-main">
            {(project.outcome.blocks.length > 0 || project.hasDecisions || project.report) && (
              <section className="card card-wash" aria-labelledby="outcome">
                <div className="card-body">
                  <h2 id="outcome">{t('project.outcome')}</h2>
                  <RichBlocks
                    blocks={project.outcome.blocks}
                    level={3}
                    href={toLocalHref}
                    renderVideo={renderVideo}
                    {...langOf(project.outcome)}
                  />
                  {project.report && (
                    <p>
                      <Link to="/projects/$slug/report" params={{ slug: project.slug }}>
                        {t('project.report')}
                      </Link>
                    </p>
                  )}
                  {project.hasDecisions && (
                    <p>
                      <Link to="/projects/$slug/decisions" params={{ slug: project.slug }}>
                        {t('project.decisions')}
                      </Link>
                    </p>
                  )}
                </div>
              </section>
            )}
            {words.blocks.length > 0 && (
              <section aria-label={t('project.about')}>
                <RichBlocks blocks={words.blocks} level={2} href={toLocalHref} renderVideo={renderVideo} {...langOf(words)} />
              </section>
            )}
            <ProjectSurveys project={project} activities={activities} renderPoll={renderPoll} />
          </div>
          <aside className="stack project-side" aria-label={t('project.facts')}>
            <ProjectKeyDates project={project} />
            {follow}
            <ProjectTeam team={project.team} />
            <ProjectPlace place={project.place} />
            <ShareProject title={project.title.text} address={address} />
          </aside>
          <div className="stack project-main">
            {data}
            <ProjectFaqs faqs={project.faqs} />
            <ProjectUpdates project={project} />
            <ProjectDocuments documents={project.documents} />
          </div>
        </div>
      </div>
    </div>
  )
}

const langOf = (words: { lang?: string }) => (words.lang ? { lang: words.lang } : {})

function ProjectBreadcrumbs({ project }: { project: ProjectView }) {
  const { t } = useTranslation('participant')
  return (
    <Breadcrumbs
      label={t('site.breadcrumbs')}
      links={[
        <Link key="home" to="/">
          {t('site.home')}
        </Link>,
        <Link key="projects" to="/projects" activeOptions={{ exact: true }}>
          {t('site.projects')}
        </Link>,
      ]}
      current={<Text words={project.title} />}
    />
  )
}

function Notices({ project }: { project: ProjectView }) {
  const { t } = useTranslation('participant')
  return (
    <>
      {project.preview && (
        <Notice kind="warning" title={t('project.preview')}>
          {t('project.preview-text')}
        </Notice>
      )}
      {project.archived && <Notice title={t('project.archived')}>{t('project.archived-text')}</Notice>}
    </>
  )
}

function ProjectHead({ project, activities }: Pick<ProjectPageProps, 'project' | 'activities'>) {
  const { t } = useTranslation('participant')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { participants, picture, hub, topic } = project
  const open = [
    ...project.surveys.filter((survey) => survey.open).map((survey) => toLocalHref(`/projects/${project.slug}/surveys/${survey.slug}`)),
    ...activities.filter((activity) => activity.open).map(({ href }) => href),
  ]
  return (
    <header className={picture ? 'project-head project-head-pictured' : 'project-head'}>
      <div className="stack">
        <PhaseTag project={project} now={project.now} />
        <h1 lang={project.title.lang} dir={getDirection(project.title.lang)}>
          {project.title.text}
        </h1>
        <p className="lead" lang={project.summary.lang} dir={getDirection(project.summary.lang)}>
          {project.summary.text}
        </p>
        <Meta
          items={[
            ...(participants > 0
              ? [
                  <span key="people" title={common('figures.participants.means')}>
                    {t('people-answered', { count: participants, number: format.number(participants) })}
                    <span className="visually-hidden"> ({common('figures.participants.means')})</span>
                  </span>,
                ]
              : []),
            ...(hub
              ? [
                  <>
                    {t('project.department')}{' '}
                    <Link to="/hubs/$slug" params={{ slug: hub.slug }} lang={hub.title.lang} dir={getDirection(hub.title.lang)}>
                      {hub.title.text}
                    </Link>
                  </>,
                ]
              : []),
            ...(topic && topic.title.text !== hub?.title.text
              ? [
                  <>
                    {t('project.topic')}{' '}
                    <Link to="/projects" search={{ topic: topic.slug }} lang={topic.title.lang} dir={getDirection(topic.title.lang)}>
                      {topic.title.text}
                    </Link>
                  </>,
                ]
              : []),
            ...(project.membersOnly ? [t('phase.members')] : []),
          ]}
        />
        {open[0] && !project.archived && (
          <div className="row">
            <a className={getButtonClass()} href={open.length === 1 ? open[0] : '#surveys'}>
              {t('have-your-say')}
            </a>
          </div>
        )}
      </div>
      {picture && (
        <img
          className="project-picture"
          {...picture}
          alt={project.pictureAlt.text}
          lang={project.pictureAlt.lang}
          dir={getDirection(project.pictureAlt.lang)}
          width={960}
          height={540}
        />
      )}
    </header>
  )
}
