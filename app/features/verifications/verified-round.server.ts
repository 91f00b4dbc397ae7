import { and, eq } from 'drizzle-orm'
import { projectColumns, requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { DEFAULT_VERIFICATION_RULE } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'

/** What a vote on a budget asks of people who are to be verified; null if it asks for no verification. @throws {AppError} `not-found`, `gone` */
export async function findVerifiedRound(ctx: Ctx, tx: Tx, address: { project: string; round: string }) {
  const [found] = await tx
    .select({ title: budgetRounds.title, access: budgetRounds.access, verification: budgetRounds.verification, project: projectColumns })
    .from(budgetRounds)
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
    .where(
      and(
        eq(budgetRounds.siteId, ctx.site.id),
        eq(projects.slug, address.project),
        eq(budgetRounds.slug, address.round),
        eq(budgetRounds.status, 'published'),
      ),
    )
  if (found?.access !== 'verified') return null
  await requireVisibleProject(ctx, tx, found.project)
  return { title: found.title, rule: found.verification ?? DEFAULT_VERIFICATION_RULE }
}
