import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { projectColumns, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { Translated } from '#app/lib/translated.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { updateSurvey } from './managing/editing.server.ts'
import { canPublishSurvey, isSameJson, publishSurvey } from './managing/publishing.server.ts'
import { listSurveyTexts } from './questionnaire/definition-texts.ts'
import { readDefinition } from './questionnaire/versions.server.ts'
import type { Definition } from './surveys.schema.ts'
import type { SurveyRow } from './surveys.policy.server.ts'

interface SurveyContent {
  title: Translated
  intro: Translated
  thanks: Translated
  definition: Definition
}

/** Surveys with their texts as drafted, for the language desk. */
export const loadSurveySubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ survey: surveys, project: projectColumns })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), id ? eq(surveys.id, id) : undefined))
  const published = id === undefined ? undefined : await loadPublishedDefinition(ctx, tx, rows[0]?.survey)
  return rows.flatMap(({ survey: row, project }) => {
    if (!checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(project)).ok) return []
    const content: SurveyContent = { title: row.title, intro: row.intro, thanks: row.thanks, definition: readDefinition(row.definition) }
    return {
      id: row.id,
      title: row.title,
      project: { id: project.id, title: project.title },
      isPublic: row.status === 'published' && isProjectShown(project.status),
      editor: `/admin/surveys/${row.id}`,
      content,
      texts: listSurveyTexts(content, content.definition),
      save: (next: unknown) => {
        const { title, intro, thanks, definition } = next as SurveyContent
        const texts = { titleTranslations: title, introTranslations: intro, thanksTranslations: thanks }
        return updateSurvey(ctx, row.id, { ...texts, definition }, row.lockVersion)
      },
      publish:
        published !== undefined && !isSameJson(published, row.definition) && canPublishSurvey(ctx.viewer, project)
          ? async (waived: readonly string[]) => {
              await publishSurvey(ctx, row.id, { waived, onLockVersion: row.lockVersion })
              return 'published' as const
            }
          : undefined,
    }
  })
}

/** What people are asked; undefined for a survey that is not published. */
async function loadPublishedDefinition(ctx: Ctx, tx: Tx, survey: SurveyRow | undefined): Promise<unknown> {
  if (survey?.status !== 'published' || survey.publishedVersion === null) return undefined
  const [version] = await tx
    .select({ definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(
      and(
        eq(surveyVersions.siteId, ctx.site.id),
        eq(surveyVersions.surveyId, survey.id),
        eq(surveyVersions.number, survey.publishedVersion),
      ),
    )
  return version?.definition
}
