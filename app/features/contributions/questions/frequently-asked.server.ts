import { and, desc, eq, isNull } from 'drizzle-orm'
import { updateProject } from '#app/features/projects/projects.editing.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { projectShape } from '#app/features/projects/projects.api.schema.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { hasText } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { officialResponses } from '#app/server/db/schema/contributions.ts'
import { type ContributionRow, type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'

const MAX_FAQS = 40

type Faqs = NonNullable<UpdateInput<typeof projectShape>['faqs']>
const getFaqs = (project: Pick<ProjectRow, 'faqs'>): Faqs => project.faqs as Faqs

const isEntryOf =
  ({ language, title }: Pick<ContributionRow, 'language' | 'title'>) =>
  ({ question }: Faqs[number]): boolean =>
    title !== '' && question[language] === title

/** Whether the project's frequently asked questions hold this one, in the asker's words. */
export const isFrequentlyAsked = ({ contribution, project }: Pick<PlacedContribution, 'contribution' | 'project'>): boolean =>
  getFaqs(project).some(isEntryOf(contribution))

/**
 * Adds a question with its public answer to the frequently asked questions of its project, or takes it out. Nothing happens if it is as
 * asked already.
 * @throws {AppError} `not-found`; `forbidden`, also for what is no question; `conflict` without a public answer; `invalid` with `too-many`;
 * `stale` if somebody saved the project at the same time
 */
export async function setFrequentlyAsked(ctx: Ctx, contributionId: string, wanted: boolean): Promise<void> {
  const { placed, answer } = await ctx.db.read(async (tx) => {
    const found = await requireContributionFor(ctx, tx, 'contributions.answer', contributionId)
    const answers = await tx
      .select({ text: officialResponses.text })
      .from(officialResponses)
      .where(
        and(
          eq(officialResponses.siteId, ctx.site.id),
          eq(officialResponses.contributionId, contributionId),
          eq(officialResponses.visibility, 'public'),
          isNull(officialResponses.withdrawnAt),
        ),
      )
      .orderBy(desc(officialResponses.version))
    return { placed: found, answer: answers.find(({ text }) => hasText(text)) }
  })
  const { contribution, activity, project } = placed
  if (!readActivitySettings(activity).tools.question) throw new AppError('forbidden')
  if (isFrequentlyAsked(placed) === wanted) return
  const faqs = getFaqs(project)
  if (!wanted) {
    const isOther = (entry: Faqs[number]) => !isEntryOf(contribution)(entry)
    await updateProject(ctx, project.id, { faqs: faqs.filter(isOther), waived: 'all' }, project.lockVersion)
    return
  }
  if (contribution.state !== 'published' || contribution.answered !== 'public' || !answer) throw new AppError('conflict')
  if (faqs.length >= MAX_FAQS)
    throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/frequentlyAsked', values: { max: MAX_FAQS } }] })
  // A person asked it in one language, and the answer has been published as it is.
  const entry = { question: { [contribution.language]: contribution.title }, answer: answer.text }
  await updateProject(ctx, project.id, { faqs: [...faqs, entry], waived: 'all' }, project.lockVersion)
}
