import { and, count, desc, eq, isNull, or } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { OWN_ANSWERS_PER_PAGE } from '../questionnaire/answer-limits.ts'
import { getSurveyState, getAnsweringTimes } from '../surveys.state.server.ts'
import type { GivenAnswers, OwnAnswer, SurveyView } from '../surveys.views.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'

/**
 * Everything the viewer's account has answered, newest first, paginated. Omits anonymous surveys, whose answers have no account, and
 * withdrawn responses. Empty for visitors.
 */
export async function listOwnAnswers(ctx: Ctx, page: number): Promise<{ rows: OwnAnswer[]; total: number }> {
  const { viewer } = ctx
  if (viewer.kind !== 'user') return { rows: [], total: 0 }
  const own = and(eq(responses.siteId, ctx.site.id), eq(responses.userId, viewer.id))
  return ctx.db.read(async (tx) => {
    const [all] = await tx.select({ total: count() }).from(responses).where(own)
    const found = await tx
      .select({ response: responses, survey: surveys, project: projects })
      .from(responses)
      .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(own)
      .orderBy(desc(responses.submittedAt), desc(responses.id))
      .offset((page - 1) * OWN_ANSWERS_PER_PAGE)
      .limit(OWN_ANSWERS_PER_PAGE)
    const rows = found.map(({ response, survey, project }): OwnAnswer => {
      const open = getSurveyState(ctx.now(), { survey, project }) === 'open'
      return {
        id: response.id,
        submittedAt: response.submittedAt,
        editedAt: response.editedAt,
        survey: localiseText(survey.title, ctx.contentLanguage, ctx.site.locale),
        project: localiseText(project.title, ctx.contentLanguage, ctx.site.locale),
        open,
        changeable: open && survey.changeable,
        closesAt: getAnsweringTimes({ survey, project }).closesAt,
      }
    })
    return { rows, total: all?.total ?? 0 }
  })
}

/**
 * What this browser's receipt or the viewer's account has sent to a survey, the latest; null if nothing, or if it was withdrawn.
 * @param code the receipt code that the browser keeps
 */
export function findGivenAnswers(ctx: Ctx, survey: SurveyView, code: string | undefined): Promise<GivenAnswers | null> {
  return readPersonal(ctx, ['given answers', survey.id], (reader) => findGiven(reader, survey, parseReceiptCode(code ?? '')))
}

function findGiven(ctx: Ctx, survey: SurveyView, receipt: string | undefined): Promise<GivenAnswers | null> {
  const userId = ctx.viewer.kind === 'user' ? ctx.viewer.id : undefined
  if (survey.changing || (!receipt && !userId)) return Promise.resolve(null)
  return ctx.db.read(async (tx) => {
    const [found] = await tx
      .select({ id: responses.id, userId: responses.userId, changeable: surveys.changeable })
      .from(responses)
      .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
      .where(
        and(
          eq(responses.siteId, ctx.site.id),
          eq(responses.surveyId, survey.id),
          isNull(responses.withdrawnAt),
          or(
            receipt ? eq(responses.receiptHash, hashReceiptCode(ctx.site.id, receipt)) : undefined,
            userId ? eq(responses.userId, userId) : undefined,
          ),
        ),
      )
      .orderBy(desc(responses.submittedAt), desc(responses.id))
      .limit(1)
    if (!found) return null
    const own = found.userId !== null && found.userId === userId
    return {
      path: own ? `/account/answers/${found.id}` : `/projects/${survey.project.slug}/surveys/${survey.slug}/receipt`,
      mayChange: found.changeable && survey.state === 'open',
      mayAnswerAgain: survey.state === 'open' && survey.refusal === null,
    }
  })
}
