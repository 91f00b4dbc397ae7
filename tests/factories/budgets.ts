import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { createEligibilityList } from '#app/features/verifications/eligibility-lists.server.ts'
import { verifyByList } from '#app/features/verifications/verifications.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import type { Person } from '#tests/support/people.ts'
import { addProject, inAllLanguages } from './surveys.ts'

type RoundValues = Partial<typeof budgetRounds.$inferInsert>

export const VOTING_OPENS = new Date('2026-03-01T12:00:00Z')
export const VOTING_CLOSES = new Date('2026-03-10T12:00:00Z')

/** A published round in a new project, with one pot for each list of costs. Options are numbered through. */
export async function addRound(
  runtime: Runtime,
  site: Site,
  pots: readonly { amount: number; costs: readonly number[] }[],
  values: RoundValues = {},
) {
  const project = values.projectId ? undefined : await addProject(runtime, site)
  const id = createId()
  const row = {
    projectId: project?.id ?? '',
    slug: `round-${id}`,
    title: inAllLanguages('Neighbourhood fund'),
    status: 'published' as const,
    opensAt: VOTING_OPENS,
    closesAt: VOTING_CLOSES,
    seed: randomBytes(32).toString('hex'),
    ...values,
    siteId: site.id,
    id,
  }
  const potRows = pots.map(({ amount }, at) => ({
    siteId: site.id,
    id: createId(),
    roundId: id,
    title: inAllLanguages(`Pot ${at + 1}`),
    amount,
    position: at,
  }))
  const options = pots.flatMap(({ costs }, at) => costs.map((cost) => ({ cost, potId: potRows[at]?.id ?? '' })))
  const optionRows = options.map((option, at) => ({
    siteId: site.id,
    id: createId(),
    roundId: id,
    number: at + 1,
    title: inAllLanguages(`Option ${at + 1}`),
    state: 'feasible' as const,
    ...option,
  }))
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(budgetRounds).values(row)
    await tx.insert(budgetPots).values(potRows)
    if (optionRows.length > 0) await tx.insert(budgetOptions).values(optionRows)
  })
  return { ...row, projectSlug: project?.slug ?? '', pots: potRows, options: optionRows }
}

/** A list of library cards, and somebody verified by each, without an account: what their browser holds. */
export async function addCards(runtime: Runtime, site: Site, admin: Person, cards: readonly string[]) {
  const { database } = runtime
  const viewer = await loadViewer({ db: database.site(site.id), database }, admin.token, new Date())
  const listId = await createEligibilityList(createCtx(runtime, site, { viewer }), {
    nameTranslations: inAllLanguages('Library card'),
    level: 'resident',
    fields: ['card-number'],
    validUntil: new Date('2030-01-01T00:00:00Z'),
    csv: `card-number\n${cards.join('\n')}\n`,
  })
  const verify = async (card: string) => {
    const { secret } = await verifyByList(createCtx(runtime, site), {
      listId,
      fields: { 'card-number': card },
      browserToken: issueToken(runtime, site),
    })
    return secret ?? ''
  }
  return { listId, verify }
}

export const loadRound = async (runtime: Runtime, site: Site, id: string) => {
  const [round] = await runtime.database.site(site.id).tx((tx) => tx.select().from(budgetRounds).where(eq(budgetRounds.id, id)))
  if (!round) throw new Error('There is no such round')
  return round
}
