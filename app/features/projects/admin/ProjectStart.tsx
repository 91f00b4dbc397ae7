import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type CopiedPart,
  PROJECT_TEMPLATES,
  type ProjectTemplate as ProjectTemplateId,
  USUALLY_COPIED_PARTS,
} from '#app/lib/vocabulary/projects.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { CardChoice } from '#app/ui/admin/card-choice.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { projectTemplatesQuery } from '../projects.queries.ts'
import { CopiedPartsField } from './CopiedPartsField.tsx'

export type ProjectStart =
  | { with: 'nothing' }
  | { with: 'template'; id: ProjectTemplateId }
  | { with: 'copy'; id: string; parts: readonly CopiedPart[] }

type ProjectTemplate = Awaited<ReturnType<NonNullable<(typeof projectTemplatesQuery)['queryFn']>>>[number]

/** Projects that can be duplicated: those that the viewer may change. */
export const COPIED_PROJECTS = projectSource({ managed: true })

interface ProjectStartFieldsProps {
  start: ProjectStart
  onChange: (start: ProjectStart) => void
  opensAt: string | undefined
  onOpensAtChange: (opensAt: string | undefined) => void
}

/** What a new project starts with: nothing, a template, or a duplicate of one of the site's projects. What it will have is said before. */
export function ProjectStartFields({ start, onChange, opensAt, onOpensAtChange }: ProjectStartFieldsProps) {
  const { t } = useTranslation('admin')
  const templates = useSuspenseQuery(projectTemplatesQuery).data
  const { first } = useFirstRecord(COPIED_PROJECTS)
  const { opening } = useMomentTexts()
  const template = start.with === 'template' ? templates.find(({ id }) => id === start.id) : undefined
  const choose = (value: string) => {
    const chosen = PROJECT_TEMPLATES.find((id) => id === value)
    if (chosen) onChange({ with: 'template', id: chosen })
    else if (value === 'copy' && first) onChange({ with: 'copy', id: first.id, parts: USUALLY_COPIED_PARTS })
    else onChange({ with: 'nothing' })
  }
  return (
    <>
      <CardChoice
        name="start"
        legend={t('new-project.start')}
        options={[
          { value: 'nothing', title: t('new-project.nothing'), text: t('new-project.nothing-text') },
          ...templates.map(({ id, title, text }) => ({ value: id, title, text })),
          ...(first ? [{ value: 'copy', title: t('new-project.copy'), text: t('confirm.copy.text') }] : []),
        ]}
        value={start.with === 'template' ? start.id : start.with}
        onChange={choose}
      />
      {template && <TemplateContents template={template} />}
      {start.with === 'copy' && (
        <>
          <RecordChoice
            name="copied"
            label={t('new-project.copied')}
            source={COPIED_PROJECTS}
            value={start.id}
            onChange={(id) => id !== null && onChange({ ...start, id })}
          />
          <CopiedPartsField parts={start.parts} onChange={(parts) => onChange({ ...start, parts })} />
        </>
      )}
      {start.with !== 'nothing' && (
        <div className="field">
          <DateTimeField name="opensAt" label={t('new-project.opens')} value={opensAt} onChange={onOpensAtChange} {...opening} />
          <p className="meta">
            {start.with === 'template'
              ? t(opensAt ? 'new-project.dated' : 'new-project.undated')
              : t(opensAt ? 'confirm.copy.moved' : 'confirm.copy.without-dates')}
          </p>
        </div>
      )}
    </>
  )
}

/** What a template makes. */
function TemplateContents({ template }: { template: ProjectTemplate }) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const rows = [
    [t('new-project.makes.stages'), template.stages],
    [t('new-project.makes.activities'), template.activities],
    [t('new-project.makes.surveys'), template.surveys],
    [t('new-project.makes.rounds'), template.rounds],
  ] as const
  return (
    <section className="admin-panel" aria-labelledby="template-contents">
      <h2 id="template-contents">{t('new-project.makes.title')}</h2>
      <p className="meta">{t('new-project.makes.text')}</p>
      <dl className="template-contents">
        {rows.map(
          ([name, titles]) =>
            titles.length > 0 && (
              <div key={name}>
                <dt>{name}</dt>
                {titles.map((title) => (
                  <dd key={title}>{title}</dd>
                ))}
              </div>
            ),
        )}
        <div>
          <dt>{t('new-project.makes.counts')}</dt>
          <dd>{t('new-project.makes.questions', { count: template.questions, number: format.number(template.questions) })}</dd>
          <dd>{t('new-project.makes.faqs', { count: template.faqs, number: format.number(template.faqs) })}</dd>
        </div>
      </dl>
      {template.rounds.length > 0 && <p className="meta">{t('new-project.makes.rounds-text')}</p>}
    </section>
  )
}
