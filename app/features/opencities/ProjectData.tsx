import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { DataFigure } from '#app/ui/data-figure.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { DatasetFigure } from './dataset-views.schema.ts'

interface ProjectDataProps {
  project: string
  title: LocalisedText
  figures: readonly DatasetFigure[]
}

/** The figures behind one project, each drawn, with a link to its full table. */
export function ProjectData({ project, title, figures }: ProjectDataProps) {
  const { t } = useTranslation('city-data')
  const { t: common } = useTranslation('participant')
  const format = useFormat()
  return (
    <div className="page wrap">
      <Breadcrumbs
        label={common('site.breadcrumbs')}
        links={[
          <Link key="home" to="/">
            {common('site.home')}
          </Link>,
          <Link key="project" to="/projects/$slug" params={{ slug: project }} activeOptions={{ exact: true }}>
            <Text words={title} />
          </Link>,
        ]}
        current={t('project.title')}
      />
      <PageTitle title={t('project.title')} lead={<Text words={title} />} />
      {figures.length === 0 && <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>}
      {figures.map((figure) => (
        <section key={figure.slug} className="stack project-figure" aria-labelledby={figure.slug}>
          <h2 id={figure.slug}>
            <Text words={figure.title} />
          </h2>
          {figure.description.text && (
            <p>
              <Text words={figure.description} />
            </p>
          )}
          <DataFigure {...figure} label={figure.title.text} format={(value) => format.number(value)} />
          <p>
            <Link to="/data/$slug" params={{ slug: figure.slug }}>
              {figure.words.whole}
              <span className="visually-hidden">: {figure.title.text}</span>
            </Link>
          </p>
        </section>
      ))}
    </div>
  )
}
