import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { PROJECT_TEMPLATES } from '#app/lib/vocabulary/projects.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectTemplateShape } from './project-templates.api.schema.ts'
import type { ProjectTemplate } from './template-parts.ts'
import { getTemplate } from './templates.ts'

/** @throws {AppError} `unauthenticated`, or `forbidden` for people without a role */
function listTemplates({ viewer }: Ctx): ProjectTemplate[] {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!isAdministrator(viewer)) throw new AppError('forbidden')
  return PROJECT_TEMPLATES.map(getTemplate)
}

const countQuestions = ({ surveys }: ProjectTemplate): number =>
  surveys.reduce((total, { definition }) => total + definition.pages.reduce((sum, { questions }) => sum + questions.length, 0), 0)

export const projectTemplateResource = implementResource(projectTemplateShape, {
  load: (ctx, ids) => Promise.resolve(listTemplates(ctx).filter(({ id }) => ids.includes(id))),
  list: (ctx, { page }) => {
    const all = listTemplates(ctx)
    return Promise.resolve({ rows: all.slice(page.offset, page.offset + page.limit), total: all.length })
  },
  attributes: (template, { language }) => {
    const nameAll = (parts: readonly { title: Translated }[]) => parts.map(({ title }) => getTranslation(title, language))
    return {
      title: template.title,
      titles: template.title,
      text: template.text,
      stages: nameAll(template.stages),
      activities: nameAll(template.activities),
      surveys: nameAll(template.surveys),
      rounds: nameAll(template.rounds),
      questions: countQuestions(template),
      faqs: template.faqs.length,
    }
  },
})
