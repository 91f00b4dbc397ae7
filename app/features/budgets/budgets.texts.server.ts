import { and, asc, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { listOptionTexts, listPotTexts, listRoundTexts } from './budget-texts.ts'
import type { RoundRow } from './budgets.policy.server.ts'
import type { budgetOptionShape } from './managing/budget-options.api.schema.ts'
import { loadOptions, updateOption } from './managing/budget-options.server.ts'
import type { budgetPotShape } from './managing/budget-pots.api.schema.ts'
import { loadRoundPots, updatePot } from './managing/budget-pots.server.ts'
import type { budgetRoundShape } from './managing/budget-rounds.api.schema.ts'
import { updateRound } from './managing/budget-rounds.server.ts'

/** A project may have hundreds of options: only what the desk shows of it is read with each. */
const PROJECT = {
  id: projects.id,
  title: projects.title,
  status: projects.status,
  hubId: projects.hubId,
  publishedAt: projects.publishedAt,
}
const ROUND = { id: budgetRounds.id, status: budgetRounds.status, hasBallots: budgetRounds.hasBallots }
const ofProject = and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId))

interface Place {
  round: Pick<RoundRow, keyof typeof ROUND>
  project: Pick<ProjectRow, keyof typeof PROJECT>
}

/** What the texts of a round, its pots and its options have in common. */
const describePlace = ({ round, project }: Place) => ({
  project: { id: project.id, title: project.title },
  isPublic: round.status === 'published' && isProjectShown(project.status),
  editor: `/admin/projects/${project.id}/budgets/${round.id}`,
})

const mayEdit = ({ viewer }: Ctx, { project }: Place): boolean => checkPermission(viewer, 'budgets.edit', toPermissionTarget(project)).ok

async function requireOne<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (!row) throw new AppError('not-found')
  return row
}

/** Rounds of budgets, for the language desk. Their names and introductions can change whatever was voted. */
export const loadRoundSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({
      round: { ...ROUND, title: budgetRounds.title, intro: budgetRounds.intro, lockVersion: budgetRounds.lockVersion },
      project: PROJECT,
    })
    .from(budgetRounds)
    .innerJoin(projects, ofProject)
    .where(and(eq(budgetRounds.siteId, ctx.site.id), id ? eq(budgetRounds.id, id) : undefined))
  return rows
    .filter((row) => mayEdit(ctx, row))
    .map((placed) => ({
      ...describePlace(placed),
      id: placed.round.id,
      title: placed.round.title,
      content: { titleTranslations: placed.round.title, introTranslations: placed.round.intro },
      texts: listRoundTexts(placed.round),
      save: (content: unknown) =>
        updateRound(ctx, placed.round.id, content as UpdateInput<typeof budgetRoundShape>, placed.round.lockVersion),
    }))
}

/** Pots of rounds without ballots: everyone who votes reads the same names. */
export const loadPotSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ pot: budgetPots, round: ROUND, project: PROJECT })
    .from(budgetPots)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetPots.siteId), eq(budgetRounds.id, budgetPots.roundId)))
    .innerJoin(projects, ofProject)
    .where(and(eq(budgetPots.siteId, ctx.site.id), eq(budgetRounds.hasBallots, false), id ? eq(budgetPots.id, id) : undefined))
    .orderBy(asc(budgetPots.roundId), asc(budgetPots.position), asc(budgetPots.id))
  return rows
    .filter((row) => mayEdit(ctx, row))
    .map((placed) => ({
      ...describePlace(placed),
      id: placed.pot.id,
      title: placed.pot.title,
      content: { titleTranslations: placed.pot.title },
      texts: listPotTexts(placed.pot),
      save: async (content: unknown) =>
        updatePot(
          ctx,
          await requireOne(loadRoundPots(ctx, [placed.pot.id])),
          content as UpdateInput<typeof budgetPotShape>,
          placed.pot.lockVersion,
        ),
    }))
}

/** Options of budgets. Once a round has ballots, only what ballots do not rest on: reasons, and how delivery stands. */
export const loadOptionSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ option: budgetOptions, round: ROUND, project: PROJECT })
    .from(budgetOptions)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetOptions.siteId), eq(budgetRounds.id, budgetOptions.roundId)))
    .innerJoin(projects, ofProject)
    .where(and(eq(budgetOptions.siteId, ctx.site.id), id ? eq(budgetOptions.id, id) : undefined))
    .orderBy(asc(budgetOptions.roundId), asc(budgetOptions.number))
  return rows
    .filter((row) => mayEdit(ctx, row))
    .map((placed) => {
      const { option, round } = placed
      const place = describePlace(placed)
      return {
        ...place,
        id: option.id,
        title: option.title,
        // Ideas that are not screened yet are known to the team only.
        isPublic: place.isPublic && option.state !== 'idea',
        content: {
          titleTranslations: option.title,
          textTranslations: option.text,
          costNoteTranslations: option.costNote,
          reasonTranslations: option.reason,
          withdrawnReasonTranslations: option.withdrawnReason,
          deliveryNoteTranslations: option.deliveryNote,
        },
        texts: listOptionTexts(option, round),
        save: async (content: unknown) =>
          updateOption(
            ctx,
            await requireOne(loadOptions(ctx, [option.id])),
            content as UpdateInput<typeof budgetOptionShape>,
            option.lockVersion,
          ),
      }
    })
}
